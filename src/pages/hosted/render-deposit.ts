import { type Html, html } from '../frame/escaped-html.ts'
import { barcode, grouped } from './barcode.ts'
import {
  amountRow,
  brandHeading,
  checkLink,
  copyRow,
  type Money,
  moneyText,
  notYet,
  outcomeButton,
  ownPath,
  printButton,
  returnedNotice,
  row,
  stepList,
  timeRow,
  type Words,
} from './hosted-parts.ts'
import type { BankTransferView, KonbiniView } from './hosted-view.ts'
import type { TwoParts } from './render-payment.ts'
import { guideOf, nameOfBank, numbersOf, takeAlongLinks } from './take-along.ts'
import { brandName, linesIn, wordsIn } from './texts/method-words.ts'

export function renderKonbini(view: KonbiniView, words: Words): TwoParts {
  const { konbini, expiry } = words.texts
  const { language } = words
  const chain = view.convenience_store
  const guide = guideOf(chain)
  const place = guide.barcode === 'never' ? 'machine' : 'till'
  const title = konbini.heading[place](brandName(chain, language))
  const numbers = numbersOf(view, words).map(({ name, value }) =>
    copyRow({ name, value, shown: grouped(value), look: 'digits' }, words),
  )
  const bars = view.barcode === null ? null : barcode(view.barcode, konbini.barcode)
  const also = () => html`<h2>${konbini.by_barcode}</h2>
<p>${konbini.show_barcode}</p>
${bars}`
  const pay = html`<form method="post" action="${ownPath(view.action)}">
${outcomeButton('successful', konbini.test_pay[place], 'main')}
</form>`
  return {
    title,
    summary: html`${brandHeading(chain, title, words)}
<dl>${amountRow(view, words)}${timeRow(expiry, view.expires_on, words)}</dl>
${guide.note ? html`<div class="notice"><p>${wordsIn(guide.note, language)}</p></div>` : null}`,
    work: html`<h2>${konbini.numbers}</h2>
<dl class="rows">${numbers}${row(konbini.customer_name, view.customer_name)}</dl>
${guide.barcode === 'first' ? bars : null}
<h2>${wordsIn(guide.heading, language)}</h2>
${stepList(linesIn(guide.steps, language))}
${guide.barcode === 'also' && bars ? also() : null}
${notYet('konbini', view.checked_on, words)}
<div class="actions">${checkLink(words)}${printButton(words)}
${takeAlongLinks(view, words)}</div>`,
    trial: view.test_mode ? pay : null,
    state: 'konbini',
  }
}

export function renderBankTransfer(view: BankTransferView, words: Words): TwoParts {
  const { bank_transfer: texts, expiry } = words.texts
  const { money, store_name, returned } = view
  const rule = money && texts.rule[view.match_amount](moneyText(money, words))
  const copy = (name: string, value: string, digits = false) =>
    copyRow({ name, value, ...(digits ? { look: 'digits' } : {}) }, words)
  return {
    title: texts.heading,
    summary: html`<h1>${texts.heading}</h1>
<dl>${amountRow(view, words)}${timeRow(expiry, view.expires_on, words)}</dl>
${receivedSoFar(view, words)}
${rule === null ? null : html`<p>${rule}</p>`}
${returnedNotice(returned, money, store_name, words)}`,
    work: html`<h2>${texts.account}</h2>
<dl class="rows">
${copy(texts.bank, nameOfBank(view.bank_name, words))}
${copy(texts.bank_code, view.bank_code)}
${copy(texts.branch, nameOfBank(view.branch_name, words))}
${copy(texts.branch_code, view.branch_code)}
${row(texts.account_type, texts.ordinary)}
${copy(texts.account_number, view.account_number, true)}
${copy(texts.account_holder, nameOfBank(view.account_holder_name, words))}
${money ? toTransfer(view, money, words) : null}
</dl>
<p class="quiet">${texts.fee}</p>
${notYet('bank_transfer', view.checked_on, words, view.received)}
<div class="actions">${checkLink(words)}${printButton(words)}
${takeAlongLinks(view, words)}</div>`,
    trial: view.test_mode && money ? transferForm(view, money, words) : null,
    state: `bank_transfer ${view.received} ${returned.length}`,
  }
}

function missingOf({ received }: BankTransferView, money: Money): number {
  return Math.max(0, money.amount - received)
}

/** The remaining amount to transfer, as a number that a banking app takes. */
function toTransfer(view: BankTransferView, money: Money, words: Words): Html {
  const rest = { ...money, amount: missingOf(view, money) }
  const name = words.texts.bank_transfer.amount
  const value = String(rest.amount)
  return copyRow({ name, value, shown: moneyText(rest, words), look: 'digits' }, words)
}

function receivedSoFar(view: BankTransferView, words: Words): Html | null {
  const { money, received } = view
  if (money === null || received === 0) return null
  const { bank_transfer: texts } = words.texts
  const missing = missingOf(view, money)
  const missing_text = moneyText({ ...money, amount: missing }, words)
  return html`<div role="status"><dl>
${row(texts.received, moneyText({ ...money, amount: received }, words))}
${missing === 0 ? null : html`<div><dt>${texts.missing}</dt><dd class="missing">${missing_text}</dd></div>`}
</dl></div>`
}

function transferForm(view: BankTransferView, money: Money, words: Words): Html {
  const { bank_transfer: texts } = words.texts
  const missing = missingOf(view, money)
  return html`<form method="post" action="${ownPath(view.action)}">
<div><label for="amount">${texts.test_amount(money.currency)}</label>
<input id="amount" name="amount" type="text" inputmode="numeric" autocomplete="off" required
value="${missing === 0 ? '' : missing}"></div>
<div><label for="name">${texts.test_name}</label>
<input id="name" name="name" type="text" autocomplete="off"></div>
<button class="main" type="submit">${texts.test_transfer}</button>
</form>`
}
