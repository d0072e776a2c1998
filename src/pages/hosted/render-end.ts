import { type Html, html } from '../frame/escaped-html.ts'
import {
  copyRow,
  moneyText,
  printButton,
  returnedNotice,
  row,
  timeRow,
  type Words,
  webAddress,
} from './hosted-parts.ts'
import type { EndView } from './hosted-view.ts'
import { brandName } from './texts/method-words.ts'

/** A page without an action: a sign, one sentence, and where to go. */
export interface OnePart {
  readonly title: string
  readonly body: Html
  readonly state: string | null
}

const drawings = {
  check: html`<path d="M20 33l8.5 8.5L45 25"/>`,
  cross: html`<path d="M24 24l16 16M40 24L24 40"/>`,
  clock: html`<path d="M32 19v13l9 6"/>`,
  dash: html`<path d="M22 32h20"/>`,
}

export function drawSign(tone: 'good' | 'bad' | 'plain', drawing: keyof typeof drawings): Html {
  return html`<svg class="sign ${tone}" viewBox="0 0 64 64" aria-hidden="true">
<circle cx="32" cy="32" r="29"/>${drawings[drawing]}
</svg>`
}

const end_signs: Readonly<Record<EndView['end'], Html>> = {
  paid: drawSign('good', 'check'),
  authenticated: drawSign('good', 'check'),
  processing: drawSign('plain', 'clock'),
  declined: drawSign('bad', 'cross'),
  expired: drawSign('plain', 'clock'),
  canceled: drawSign('plain', 'cross'),
  used: drawSign('plain', 'dash'),
}

export function renderEnd(view: EndView, words: Words): OnePart {
  const { heading, sentence } = words.texts.end[view.end]
  const { money, store_name, returned } = view
  const text = money
    ? sentence.money(store_name, moneyText(money, words))
    : sentence.no_money(store_name)
  const receipt = view.end === 'paid' ? renderReceipt(view, words) : null
  const back = backLink(view, words)
  const print = receipt ? printButton(words) : null
  return {
    title: heading,
    body: html`${end_signs[view.end]}
<h1>${heading}</h1>
${sentencesOf(text)}
${returnedNotice(returned, money, store_name, words)}
${receipt}
${back || print ? html`<div class="actions">${back}${print}</div>` : null}`,
    state: view.end === 'processing' && !view.leaving ? 'processing' : null,
  }
}

/** The facts that a customer needs to ask the shop about the payment. */
function renderReceipt(view: EndView, words: Words): Html | null {
  const { receipt: texts, amount, three_ds } = words.texts
  const { money, receipt_number, paid_on, brand, last_four, refunded_amount } = view
  if (receipt_number === null || money === null) return null
  const name = brand === null ? null : brandName(brand, words.language)
  const method = name !== null && last_four ? three_ds.card_ending(name, last_four) : name
  return html`<section class="work"><dl class="rows">
<div><dt>${amount}</dt><dd class="digits">${moneyText(money, words)}</dd></div>
${refunded_amount > 0 ? row(texts.refunded, moneyText({ ...money, amount: refunded_amount }, words)) : null}
${row(texts.store, view.store_name)}
${method === null ? null : row(texts.method, method)}
${paid_on === null ? null : timeRow(texts.paid_on, paid_on, words, 'with_year')}
${copyRow({ name: texts.number, value: receipt_number, look: 'id' }, words)}
</dl>
<p class="quiet">${texts.keep}</p></section>`
}

/** The page of an unknown address, or of a failure: it reveals nothing. */
export function renderNothing(kind: 'nobody' | 'trouble', { texts }: Words): OnePart {
  const { heading, sentence } = texts[kind]
  const drawing = kind === 'nobody' ? drawSign('plain', 'dash') : drawSign('bad', 'cross')
  return {
    title: heading,
    body: html`${drawing}
<h1>${heading}</h1>
${sentencesOf(sentence)}`,
    state: null,
  }
}

/** Lines break between Japanese sentences first, which have no space there. */
function sentencesOf(text: string): Html {
  const sentences = text.split(/(?<=。)/)
  return html`<p class="told" role="status">${sentences.map((one) => html`<span>${one}</span>`)}</p>`
}

/** The shop does not get the address of this page, which is the customer's alone. */
function backLink({ return_url, store_name }: EndView, { texts }: Words): Html | null {
  const address = webAddress(return_url)
  if (address === null) return null
  return html`<a class="button main" rel="noreferrer" href="${address}">${texts.back(store_name)}</a>`
}
