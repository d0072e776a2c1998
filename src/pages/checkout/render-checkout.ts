import type { CheckoutView } from '../../commerce/checkout/customer/checkout-view.ts'
import { majorUnits } from '../../core/money/money.ts'
import { isNameIn } from '../../core/table-names.ts'
import type { AnyMethod } from '../../methods/contract/payment-method.ts'
import { methods } from '../../methods/method-table.ts'
import { type Html, html } from '../frame/escaped-html.ts'
import { grouped } from '../hosted/barcode.ts'
import { moneyText, timeRow, totalRow, webAddress } from '../hosted/hosted-parts.ts'
import type { Language } from '../hosted/hosted-view.ts'
import { drawSign } from '../hosted/render-end.ts'
import { textsIn } from '../hosted/texts/method-words.ts'
import { type CheckoutWords, type FormEntry, type FormPlace, field } from './checkout-fields.ts'
import { type ReceiptNotice, renderDone } from './render-done.ts'
import { renderItems } from './render-items.ts'
import { renderWays } from './render-ways.ts'
import { ownFields } from './sent-form.ts'
import {
  type CustomerError,
  type FieldName,
  faults_by_code,
  type RequestFault,
  type TestCard,
} from './texts/checkout-texts.ts'

/** A page: its title, its content, and the step for its script; null: nothing changes any more. */
export interface CheckoutPage {
  readonly title: string
  readonly main: Html
}

export interface Visit {
  readonly path: string
  /** The fault of the plain form that led here. */
  readonly fault: RequestFault | null
  readonly entry: FormEntry
  /** The customer asked to leave a payment that has a number: they are asked first. */
  readonly is_leaving: boolean
  readonly is_phone: boolean
  /** The outcome, after the customer asked for the receipt by e-mail. */
  readonly receipt: ReceiptNotice | null
}

export function renderCheckout(
  view: CheckoutView,
  visit: Visit,
  words: CheckoutWords,
): CheckoutPage {
  const { path, fault, is_phone } = visit
  const { checkout } = words
  const amount = moneyText(view, words)
  const place: FormPlace = {
    path,
    view,
    amount,
    words,
    entry: entryOf(view, visit, words),
    is_phone,
  }
  switch (view.step) {
    case 'choose':
    case 'failed':
      return {
        title: checkout.pay_to(view.store.name),
        main: two(view.step, path, renderSummary(view, place), renderChoice(place, fault), words),
      }
    case 'wait':
      return {
        title: checkout.wait.heading,
        main: two(view.step, path, renderSummary(view, place), renderWait(place), words),
      }
    case 'three_ds':
      return {
        title: checkout.bank.heading,
        main: two(view.step, path, renderSummary(view, place), renderBank(view, place), words),
      }
    case 'redirect':
    case 'instructions': {
      const asked = visit.is_leaving ? renderGivingUp(view, place) : null
      const work = asked ?? renderElsewhere(view, place)
      return {
        title: checkout.elsewhere.heading,
        main: two(view.step, path, renderSummary(view, place), work, words),
      }
    }
    case 'done':
      return { title: checkout.done.heading, main: renderDone(place, visit.receipt) }
    case 'expired':
    case 'canceled':
      return { title: checkout[view.step].heading, main: renderOver(view, view.step, words) }
  }
}

/** Why an attempt failed, where the customer can mend it in a field. */
const field_of_error = {
  wrong_number: 'card_number',
  card_expired: 'expiry',
  wrong_cvv: 'cvv',
} as const satisfies Partial<Record<CustomerError, FieldName>>

/** The form that was sent last: by scripts, of which only the charge is known, or without them. */
function entryOf(view: CheckoutView, { entry }: Visit, { checkout }: CheckoutWords): FormEntry {
  const chosen = entry.chosen ?? view.chosen
  const has_faults = Object.keys(entry.faults).length > 0
  if (view.step !== 'failed' || has_faults) return { ...entry, chosen }
  const { error } = view
  const by_method = ownFields(chosen?.payment_type ?? null).find(({ mends }) => mends === error)
  const name = by_method?.id ?? (isNameIn(field_of_error, error) ? field_of_error[error] : null)
  return name
    ? { ...entry, chosen, faults: { [name]: checkout.errors[error] } }
    : { ...entry, chosen }
}

/** The script's text for a refused request, by its code. */
function faultTexts({ checkout }: CheckoutWords): string {
  const texts = Object.entries(faults_by_code).map(([code, name]) => [code, checkout.faults[name]])
  return JSON.stringify({ ...Object.fromEntries(texts), '': checkout.faults.input })
}

function two(step: string, path: string, summary: Html, work: Html, words: CheckoutWords): Html {
  return html`<main class="two checkout" data-step="${step}" data-path="${path}"
 data-offline="${words.checkout.offline}" data-faults="${faultTexts(words)}">
<div class="summary">${summary}</div>
<div class="doing"><div class="work">${work}</div></div>
</main>`
}

function renderSummary(view: CheckoutView, { words, is_phone }: FormPlace): Html {
  const { checkout } = words
  // A customer with a payment number for a convenience store leaves without canceling anything.
  const leave = view.step === 'instructions' ? null : webAddress(view.cancel_url)
  const count = view.line_items.reduce((sum, { quantity }) => sum + quantity, 0)
  const total = html`<dl>${totalRow(count > 0 ? checkout.order(count) : checkout.total, view, words)}</dl>`
  const items = renderItems(view, words)
  // On a phone the order is one line, so that the form is on the first screen.
  const open = is_phone ? null : html` open`
  const order = items
    ? html`<details class="order"${open}><summary>${total}</summary>${items}</details>`
    : total
  return html`<h1>${checkout.pay_to(view.store.name)}</h1>
${order}
${renderPlan(view, words)}
<dl class="until">${timeRow(checkout.expires, new Date(view.expires_on), words)}</dl>
${leave ? html`<p><a href="${leave}" rel="noreferrer" data-leave>${checkout.leave}</a></p>` : null}`
}

function renderPlan(view: CheckoutView, words: CheckoutWords): Html | null {
  if (!view.subscription) return null
  const { checkout } = words
  const { period } = view.subscription as { period?: string | null }
  const shown = checkout.periods[period ?? 'other'] ?? checkout.periods.other ?? ''
  return html`<p>${checkout.subscription(moneyText(view, words), shown)}</p>`
}

function renderChoice(place: FormPlace, fault: RequestFault | null): Html {
  const { view, words } = place
  const { checkout } = words
  const failed =
    view.step === 'failed'
      ? html`<div class="notice bad" role="alert"><p><strong>${checkout.failed}</strong></p>
<p>${checkout.errors[view.error]}</p></div>`
      : null
  const wrong = fault
    ? html`<div class="notice bad" role="alert"><p>${checkout.faults[fault]}</p></div>`
    : null
  return html`${wrong ?? failed}
${renderTestCards(place)}
${renderWays(place)}`
}

/** The cards that testers try first; a click fills the form. The script shows them, because they need it. */
function renderTestCards({ view, words: { checkout } }: FormPlace): Html | null {
  const takes_cards = view.methods.some(({ payment_type }) => payment_type === 'card')
  if (!view.test_mode || !takes_cards) return null
  const buttons = Object.entries(test_cards).map(([name, digits]) => {
    const text = `…${digits.slice(-4)} ${checkout.test_cards[name as TestCard]}`
    return html`<button type="button" data-card="${digits}">${text}</button>`
  })
  return html`<div class="test-cards" role="group" aria-label="${checkout.test_fill}" hidden>${buttons}</div>`
}

/** Test mode: what a tester tries first. Every other outcome is in the documents of test mode. */
const test_cards: Readonly<Record<TestCard, string>> = {
  success: '4242424242424242',
  declined: '4000000000000002',
  insufficient_funds: '4000000000009995',
  three_ds: '4000000000003220',
}

/** The link is for browsers without scripts; with them, the page continues by itself. */
function renderWait({ path, words }: FormPlace): Html {
  const { wait } = words.checkout
  return html`<div class="waiting" role="status"><span class="spinner" aria-hidden="true"></span>
<h2>${wait.heading}</h2>
<p>${wait.sentence}</p></div>
<noscript><div class="actions"><a class="button" href="${path}">${wait.slow}</a></div></noscript>`
}

type Elsewhere = Extract<CheckoutView, { step: 'redirect' | 'three_ds' | 'instructions' }>

/** The page of the cardholder's bank, without leaving this one. */
function renderBank(view: Elsewhere, { path, words }: FormPlace): Html {
  const { bank, wait, elsewhere } = words.checkout
  return html`<h2>${bank.heading}</h2>
<p>${bank.sentence}</p>
<iframe class="bank" src="${view.url}" title="${bank.heading}"></iframe>
<noscript><div class="actions"><a class="button" href="${path}">${wait.slow}</a></div></noscript>
${changeForm(path, elsewhere.change)}`
}

function changeForm(path: string, label: string): Html {
  return html`<form method="post" action="${path}/leave" class="plain">
<button class="faint" type="submit">${label}</button>
</form>`
}

function renderElsewhere(view: Elsewhere, { path, words }: FormPlace): Html {
  const { elsewhere } = words.checkout
  const asks_first = numberOf(view, words.language) !== null
  return html`<h2>${elsewhere.heading}</h2>
<p>${elsewhere.sentence}</p>
<div class="actions"><a class="button main" href="${view.url}">${elsewhere.go}</a>
${asks_first ? html`<a class="button" href="?leave=1">${elsewhere.change}</a>` : null}</div>
${asks_first ? null : changeForm(path, elsewhere.change)}`
}

/** The instrument that a customer prepared, and would pay with in vain if it were given up unnoticed. */
function numberOf(view: Elsewhere, language: Language) {
  if (view.step !== 'instructions' || !view.payment_type) return null
  const { taken_along }: AnyMethod = methods[view.payment_type]
  const number = taken_along?.number(view.instructions) ?? null
  return taken_along && number !== null
    ? { number, texts: textsIn(taken_along.texts, language) }
    : null
}

function renderGivingUp(view: Elsewhere, { path, words }: FormPlace): Html | null {
  const found = numberOf(view, words.language)
  if (!found) return null
  const { texts } = found
  return html`<h2>${texts.heading}</h2>
<p>${texts.sentence}</p>
<dl class="rows"><div><dt>${texts.number}</dt><dd class="digits">${grouped(found.number)}</dd></div></dl>
<div class="actions"><a class="button main" href="${path}">${texts.keep}</a></div>
${changeForm(path, texts.confirm)}`
}

function renderOver(view: CheckoutView, end: 'expired' | 'canceled', words: CheckoutWords): Html {
  const { heading, sentence } = words.checkout[end]
  const shop = webAddress(view.cancel_url)
  const { back } = words.checkout
  return html`<main class="end" data-step="${end}">
${drawSign('plain', end === 'expired' ? 'clock' : 'cross')}
<h1>${heading}</h1>
<p class="told">${sentence}</p>
<div class="actions">${shop && html`<a class="button main" href="${shop}" rel="noreferrer">${back}</a>`}</div>
</main>`
}

export function renderNobody({ checkout }: CheckoutWords): CheckoutPage {
  const { heading, sentence } = checkout.nobody
  return {
    title: heading,
    main: html`<main class="end">${drawSign('plain', 'dash')}
<h1>${heading}</h1>
<p class="told">${sentence}</p></main>`,
  }
}

/** The content of a payment link's page. */
export interface LinkView {
  readonly name: string
  readonly amount: number | null
  readonly amount_choice: {
    readonly min: number
    readonly max: number
    readonly suggested?: number | null
  } | null
  readonly currency: string
  readonly is_open: boolean
}

export function renderLink(
  view: LinkView,
  { path, fault, entry }: Visit,
  words: CheckoutWords,
): CheckoutPage {
  const { checkout } = words
  const { currency, amount, amount_choice } = view
  if (!view.is_open) {
    const { heading, sentence } = checkout.link.closed
    return {
      title: heading,
      main: html`<main class="end">${drawSign('plain', 'clock')}
<h1>${heading}</h1>
<p class="told">${sentence}</p></main>`,
    }
  }
  const total =
    amount === null
      ? null
      : html`<div class="summary"><dl>${totalRow(checkout.total, { amount, currency }, words)}</dl></div>`
  const choice = amount_choice && renderAmount(amount_choice, currency, { words, entry })
  const notice = fault && !(choice && entry.faults.amount) ? checkout.faults[fault] : null
  return {
    title: view.name,
    main: html`<main class="narrow checkout" data-step="link">
<h1>${view.name}</h1>
${total}
${notice ? html`<div class="notice bad" role="alert"><p>${notice}</p></div>` : null}
<form method="post" action="${path}" class="plain" novalidate>
${choice}
<button class="main" type="submit">${checkout.link.go}</button>
</form>
</main>`,
  }
}

/** In the unit that people use. */
function renderAmount(
  { min, max, suggested = null }: NonNullable<LinkView['amount_choice']>,
  currency: string,
  place: Pick<FormPlace, 'words' | 'entry'>,
): Html {
  const { words } = place
  const inMoney = (amount: number) => moneyText({ amount, currency }, words)
  const value = suggested === null ? null : majorUnits(suggested, currency)
  const hint = words.checkout.link.bounds(inMoney(min), inMoney(max))
  return field('amount', { inputmode: 'decimal', maxlength: 20, hint }, place, value)
}
