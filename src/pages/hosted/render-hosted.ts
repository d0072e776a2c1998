import { createHash } from 'node:crypto'
import type { ProviderForm } from '../../core/instructions.ts'
import { currencyDigits } from '../../core/money/currencies.ts'
import { formatAmount } from '../../core/money/money.ts'
import { inWords } from '../../core/payment-methods.ts'
import { type Html, html, markupOf } from '../escaped-html.ts'
import { barcode, grouped } from './barcode.ts'
import { hosted_style } from './hosted-style.ts'
import { type HostedTexts, hosted_texts } from './hosted-texts.ts'
import type {
  BankTransferView,
  EndView,
  ForwardView,
  HostedView,
  KonbiniView,
  Language,
  OnlineView,
  QrView,
  ThreeDsView,
} from './hosted-view.ts'

/** The hash of the only style, for the content policy. */
export const hosted_style_hash = createHash('sha256')
  .update(markupOf(hosted_style))
  .digest('base64')

/** Customers see the local time of the shops, stores and banks. */
const time_zone = 'Asia/Tokyo'

interface Words {
  readonly language: Language
  readonly texts: HostedTexts
}

interface Content {
  readonly heading: string
  readonly body: Html
  /** The name of the shop, above the heading. */
  readonly from?: string
  /** Pages without an action have a sign above the heading, and are centered. */
  readonly sign?: Html
}

/** A whole document, without scripts. No data of the view can become markup or change the reading order. */
export function renderHosted(view: HostedView, language: Language): string {
  const words = { language, texts: hosted_texts[language] }
  const shown = withPlainTexts(view)
  const { heading, body, from, sign } = renderContent(shown, words)
  const title = 'store_name' in shown ? `${heading} · ${shown.store_name}` : heading
  const goal = shown.kind === 'end' && shown.leaving ? webAddress(shown.return_url) : null
  const main = html`<main${sign ? html` class="end"` : null}>
${sign ?? null}${from === undefined ? null : html`<p class="from">${from}</p>`}
<h1>${heading}</h1>
${body}
</main>`
  return renderDocument(
    { title, test_mode: 'test_mode' in shown && shown.test_mode, main, goal },
    words,
  )
}

function renderContent(view: HostedView, words: Words): Content {
  switch (view.kind) {
    case 'online':
      return renderOnline(view, words)
    case 'qr':
      return renderQr(view, words)
    case 'konbini':
      return renderKonbini(view, words)
    case 'bank_transfer':
      return renderBankTransfer(view, words)
    case 'three_ds':
      return renderThreeDs(view, words)
    case 'forward':
      return renderForward(view, words)
    case 'nobody':
      return { heading: words.texts.nobody, body: html``, sign: signOf('plain', dash) }
    case 'trouble': {
      const { heading, sentence } = words.texts.trouble
      return { heading, body: told(sentence), sign: signOf('bad', cross) }
    }
    case 'end':
      return renderEnd(view, words)
  }
}

interface Document {
  readonly title: string
  readonly test_mode: boolean
  readonly main: Html
  /** The URL that the browser is forwarded to. */
  readonly goal: string | null
}

function renderDocument({ title, test_mode, main, goal }: Document, words: Words): string {
  const { language, texts } = words
  const { title: mode, sentence } = texts.test_banner
  const banner = html`<header class="test"><p><strong>${mode}</strong> ${sentence}</p></header>`
  // Phones would otherwise turn account numbers and payment codes into phone links.
  return markupOf(html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
<meta name="robots" content="noindex">
${goal === null ? null : html`<meta http-equiv="refresh" content="0;url=${goal}">`}
<title>${title}</title>
<style>${hosted_style}</style>
</head>
<body>
${test_mode ? banner : null}
${main}
</body>
</html>
`)
}

function renderOnline(view: OnlineView, words: Words): Content {
  const { online } = words.texts
  const pay = view.money ? online.pay(moneyText(view.money, words)) : online.pay_nothing
  const body = html`<p class="lead">${online.check}</p>
<dl>${amountRow(view, words)}${expiryRow(view, words)}</dl>
<form method="post" action="${ownPath(view.action)}">
${outcomeButton('successful', pay, 'main')}
${outcomeButton('failed', online.decline)}
${outcomeButton('abandoned', online.cancel, 'faint')}
</form>`
  return { from: view.store_name, heading: online.heading(inWords(view.brand)), body }
}

function renderQr(view: QrView, words: Words): Content {
  const { qr } = words.texts
  const brand = inWords(view.brand)
  const wallet =
    view.wallet_path === null
      ? null
      : html`<a class="button" href="${ownPath(view.wallet_path)}">${qr.wallet}</a>`
  const body = html`<dl>${amountRow(view, words)}</dl>
<figure class="code">
<img src="${ownPath(view.image_path)}" width="240" height="240" alt="${qr.image(brand)}">
</figure>
<h2>${qr.how}</h2>
<p>${qr.steps(brand)}</p>
<dl>${expiryRow(view, words)}</dl>
<div class="actions">
<a class="button main" href="">${qr.check_now}</a>
${wallet}
</div>`
  return { from: view.store_name, heading: qr.heading(brand), body }
}

function renderKonbini(view: KonbiniView, words: Words): Content {
  const { konbini } = words.texts
  const place = inWords(view.convenience_store)
  // Pay Easy is the only choice without a store counter: its codes are typed, never scanned.
  const where = view.convenience_store === 'pay_easy' ? 'machine' : 'till'
  const body = html`<dl>
${amountRow(view, words)}
<div class="large"><dt>${konbini.payment_code}</dt><dd class="digits">${grouped(view.payment_code)}</dd></div>
${row(konbini.customer_name, view.customer_name)}
${expiryRow(view, words)}
</dl>
${where === 'till' ? barcode(view.barcode, konbini.barcode) : null}
<h2>${konbini.how}</h2>
<ol>${konbini.steps[where].map((step) => html`<li>${step(place)}</li>`)}</ol>
${view.test_mode ? tillForm(view, konbini.test_pay[where]) : null}`
  return { from: view.store_name, heading: konbini.heading[where](place), body }
}

function tillForm(view: KonbiniView, text: string): Html {
  return html`<form method="post" action="${ownPath(view.action)}">
${outcomeButton('successful', text, 'main')}
</form>`
}

function renderBankTransfer(view: BankTransferView, words: Words): Content {
  const { bank_transfer: texts } = words.texts
  const { money } = view
  const rule = money && texts.rule[view.match_amount](moneyText(money, words))
  const body = html`<dl>${amountRow(view, words)}${expiryRow(view, words)}</dl>
${rule === null ? null : html`<p>${rule}</p>`}
${receivedSoFar(view, words)}
<h2>${texts.account}</h2>
<dl>
${row(texts.bank, texts.coded(view.bank_name, view.bank_code))}
${row(texts.branch, texts.coded(view.branch_name, view.branch_code))}
${row(texts.account_type, texts.ordinary)}
<div><dt>${texts.account_number}</dt><dd class="digits">${view.account_number}</dd></div>
${row(texts.account_holder, view.account_holder_name)}
</dl>
${view.test_mode && money ? transferForm(view, money, texts) : null}`
  return { from: view.store_name, heading: texts.heading, body }
}

type Money = NonNullable<BankTransferView['money']>

function missingOf(view: BankTransferView, money: Money): number {
  return Math.max(0, money.amount - view.received)
}

function receivedSoFar(view: BankTransferView, words: Words): Html | null {
  const { money, received } = view
  if (money === null || received === 0) return null
  const { bank_transfer: texts } = words.texts
  const missing = missingOf(view, money)
  const missing_text = moneyText({ ...money, amount: missing }, words)
  return html`<div role="status"><dl>
${row(texts.received, moneyText({ ...money, amount: received }, words))}
${missing === 0 ? null : html`<div class="missing"><dt>${texts.missing}</dt><dd>${missing_text}</dd></div>`}
</dl></div>`
}

function transferForm(
  view: BankTransferView,
  money: Money,
  texts: HostedTexts['bank_transfer'],
): Html {
  const missing = missingOf(view, money)
  return html`<form class="trial" method="post" action="${ownPath(view.action)}">
<h2>${texts.test_heading}</h2>
<div><label for="amount">${texts.test_amount(money.currency)}</label>
<input id="amount" name="amount" type="number" inputmode="numeric" min="1" step="1" required
value="${missing === 0 ? '' : missing}"></div>
<div><label for="name">${texts.test_name}</label>
<input id="name" name="name" type="text" autocomplete="off"></div>
<button class="main" type="submit">${texts.test_transfer}</button>
</form>`
}

function renderThreeDs(view: ThreeDsView, words: Words): Content {
  const { three_ds } = words.texts
  const { question } = three_ds
  const asked = view.money
    ? question.money(view.store_name, moneyText(view.money, words))
    : question.no_money(view.store_name)
  const body = html`<p>${asked}</p>
<dl>
${amountRow(view, words)}
${row(three_ds.store, view.store_name)}
${row(three_ds.card, three_ds.card_ending(inWords(view.card_brand), view.last_four))}
${timeRow(three_ds.expiry, view.expires_on, words.language)}
</dl>
<form method="post" action="${ownPath(view.action)}">
${outcomeButton('successful', three_ds.approve, 'main')}
${outcomeButton('failed', three_ds.decline)}
${outcomeButton('abandoned', three_ds.leave, 'faint')}
</form>`
  return { from: three_ds.asks, heading: three_ds.heading, body }
}

function renderForward(view: ForwardView, words: Words): Content {
  const { forward } = words.texts
  const body = html`<p>${forward.sentence}</p>
<dl>${amountRow(view, words)}</dl>
${renderForwardForm(view.form, forward.go)}`
  const heading = view.brand === null ? forward.challenge : forward.heading(inWords(view.brand))
  return { from: view.store_name, heading, body }
}

/** A browser drops the query of an address that a form is sent to by GET, so that is a link. */
function renderForwardForm({ url, method, fields }: ProviderForm, label: string): Html {
  if (method === 'get') {
    const target = new URL(url)
    for (const [name, value] of Object.entries(fields)) target.searchParams.set(name, value)
    const link = html`<a class="button main" href="${target.href}" rel="noreferrer">${label}</a>`
    return html`<p class="actions">${link}</p>`
  }
  const hidden = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return html`<form method="post" action="${url}">
${hidden}
<button class="main" type="submit">${label}</button>
</form>`
}

const check = html`<path d="M20 33l8.5 8.5L45 25"/>`
const cross = html`<path d="M24 24l16 16M40 24L24 40"/>`
const clock = html`<path d="M32 19v13l9 6"/>`
const dash = html`<path d="M22 32h20"/>`

function signOf(tone: 'good' | 'bad' | 'plain', drawing: Html): Html {
  return html`<svg class="sign ${tone}" viewBox="0 0 64 64" aria-hidden="true">
<circle cx="32" cy="32" r="29"/>${drawing}
</svg>`
}

const end_signs: Readonly<Record<EndView['end'], Html>> = {
  paid: signOf('good', check),
  authenticated: signOf('good', check),
  processing: signOf('plain', clock),
  declined: signOf('bad', cross),
  expired: signOf('plain', clock),
  canceled: signOf('plain', cross),
  used: signOf('plain', dash),
}

function renderEnd(view: EndView, words: Words): Content {
  const { heading, sentence } = words.texts.end[view.end]
  const text = view.money
    ? sentence.money(view.store_name, moneyText(view.money, words))
    : sentence.no_money(view.store_name)
  const body = html`${told(text)}
${backLink(view, words.texts)}`
  return { heading, body, sign: end_signs[view.end] }
}

/** Lines break between Japanese sentences first, which have no space there. */
function told(text: string): Html {
  const sentences = text.split(/(?<=。)/)
  return html`<p role="status">${sentences.map((sentence) => html`<span>${sentence}</span>`)}</p>`
}

/** The shop does not get the address of this page, which is the customer's alone. */
function backLink({ return_url, store_name }: EndView, texts: HostedTexts): Html | null {
  const address = webAddress(return_url)
  if (address === null) return null
  return html`<div class="actions">
<a class="button main" rel="noreferrer" href="${address}">${texts.back(store_name)}</a>
</div>`
}

function webAddress(text: string | null): string | null {
  return text !== null && /^https?:\/\//.test(text) && URL.canParse(text) ? text : null
}

function row(name: string, value: Html | string): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`
}

function amountRow({ money }: { money: Money | null }, words: Words): Html | null {
  if (money === null) return null
  return html`<div class="large"><dt>${words.texts.amount}</dt><dd>${moneyText(money, words)}</dd></div>`
}

function expiryRow({ expires_on }: { expires_on: Date }, words: Words): Html {
  return timeRow(words.texts.expiry, expires_on, words.language)
}

/** The zone is shown: a customer may be anywhere. */
function timeRow(name: string, moment: Date, language: Language): Html {
  const parts = new Intl.DateTimeFormat(language, {
    timeZone: time_zone,
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'long',
  }).formatToParts(moment)
  const zone = parts.find(({ type }) => type === 'timeZoneName')?.value ?? time_zone
  const others = parts.filter(({ type }) => type !== 'timeZoneName').map(({ value }) => value)
  const text = others.join('').trim()
  return html`<div class="long"><dt>${name}</dt>
<dd><time datetime="${moment.toISOString()}">${text}</time> <small>${zone}</small></dd></div>`
}

/** Our table, which follows the standard, has the digits; the language only sets the notation. */
function moneyText({ amount, currency }: Money, { language }: Words): string {
  const digits = currencyDigits(currency)
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    // Japanese pages write 1,000円; the currency sign would be full width.
    currencyDisplay: language === 'ja' ? 'name' : 'symbol',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(formatAmount(amount, currency))
}

function outcomeButton(
  outcome: 'successful' | 'failed' | 'abandoned',
  text: string,
  look: 'main' | 'plain' | 'faint' = 'plain',
): Html {
  return html`<button class="${look}" type="submit" name="outcome" value="${outcome}">${text}</button>`
}

/** A form or a link of ours that leads anywhere else is a mistake of the program, not of the customer. */
function ownPath(path: string): string {
  if (!/^\/(?![/\\])/.test(path)) throw new Error(`${JSON.stringify(path)} is not a path of ours.`)
  return path
}

/**
 * Names are user input. Invisible characters that reverse text, end a line or end a string are removed
 * everywhere, so that no page can forget it.
 */
function withPlainTexts(view: HostedView): HostedView {
  const fields = Object.entries(view).map(([name, value]) => [
    name,
    typeof value === 'string' ? plainText(value) : value,
  ])
  return Object.fromEntries(fields) as HostedView
}

function plainText(text: string): string {
  const visible = text.replace(/[\0\p{Cs}\u202a-\u202e\u2066-\u2069]/gu, '')
  return visible.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
}
