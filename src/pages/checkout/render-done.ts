import { type Html, html } from '../frame/escaped-html.ts'
import {
  copyRow,
  mailAddress,
  printButton,
  row,
  timeRow,
  webAddress,
} from '../hosted/hosted-parts.ts'
import { drawSign } from '../hosted/render-end.ts'
import type { CheckoutWords, FormPlace } from './checkout-fields.ts'
import { receiptLines, wayName } from './receipt-lines.ts'
import { renderItems } from './render-items.ts'

export const receipt_notices = ['sent', 'wrong', 'enough'] as const
export type ReceiptNotice = (typeof receipt_notices)[number]

/** The receipt; with an address of the shop, the script goes back there after some seconds. */
export function renderDone(place: FormPlace, notice: ReceiptNotice | null): Html {
  const { view, amount, words } = place
  const { done, back } = words.checkout
  const { receipt, store, payment_type } = view
  const shop = webAddress(view.success_url)
  const paid_on = receipt?.completed_on
  const rows = receipt
    ? html`<dl class="rows">
${row(words.texts.amount, amount)}
${row(done.store, store.name)}
${paid_on ? timeRow(done.date, new Date(paid_on), words, 'with_year') : null}
${payment_type ? row(done.way, wayName(view, words)) : null}
${copyRow({ name: done.number, value: receipt.number, look: 'id' }, words)}
</dl>
${renderItems(view, words)}`
    : null
  const mail = receipt && !receipt.is_mailed ? ownMail(view, amount, words) : null
  const form = receipt?.is_mailed ? receiptForm(place, notice) : null
  const returning = html`<p class="told returning" role="status" hidden>${done.returning(store.name)}</p>`
  return html`<main class="end" data-step="done"${shop ? html` data-shop="${shop}"` : null}>
${drawSign('good', 'check')}
<h1>${done.heading}</h1>
<p class="told">${done.sentence(store.name, amount)}</p>
${rows ? html`<div class="work">${rows}</div>` : null}
${shop ? returning : null}
<div class="actions">${shop ? html`<a class="button main" href="${shop}" rel="noreferrer">${back}</a>` : null}
${printButton(words)}
${mail ? html`<a class="button" href="${mail}">${words.texts.mail}</a>` : null}</div>
${form}
</main>`
}

/** An empty field means the address of the payment, which the page shows as far as its owner knows it. */
function receiptForm(
  { path, view, words: { checkout } }: FormPlace,
  notice: ReceiptNotice | null,
): Html {
  const { label, missing, wrong } = checkout.fields.email
  const { mailed_to = null } = view.receipt ?? {}
  const fault = notice === 'wrong' ? (mailed_to ? wrong : missing) : null
  const sentence = notice === 'sent' || notice === 'enough' ? checkout.done.mail[notice] : null
  return html`<section class="work receipt" id="receipt">
${sentence ? html`<p class="notice" role="status">${sentence}</p>` : null}
<form method="post" action="${path}/receipt" class="plain" novalidate>
<div class="field"><label for="receipt-email">${label}</label>
<input id="receipt-email" name="email" type="email" autocomplete="email" maxlength="254"
 aria-describedby="receipt-email-fault"${mailed_to ? html` placeholder="${mailed_to}"` : null}
${fault ? html` aria-invalid="true"` : null}>
<p class="fault" id="receipt-email-fault"${fault ? null : html` hidden`}>${fault}</p></div>
<button type="submit">${checkout.done.mail.send}</button>
</form></section>`
}

/** Without a mail server, the customer's own mail program sends it. */
function ownMail(view: FormPlace['view'], amount: string, words: CheckoutWords): string {
  const lines = receiptLines(view, amount, words).map(([name, value]) => `${name}: ${value}`)
  return mailAddress(words.checkout.done.mail.subject(view.store.name), lines)
}
