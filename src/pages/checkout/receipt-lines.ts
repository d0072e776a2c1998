import type { CheckoutView } from '../../commerce/checkout/customer/checkout-view.ts'
import { method_facts } from '../../methods/method-facts.ts'
import { html, markupOf } from '../frame/escaped-html.ts'
import { moneyText, timeText } from '../hosted/hosted-parts.ts'
import { brandName, wordsIn } from '../hosted/texts/method-words.ts'
import type { CheckoutWords } from './checkout-fields.ts'

/** The receipt, line by line: what it is, and its value. */
export function receiptLines(
  view: CheckoutView,
  amount: string,
  words: CheckoutWords,
): [string, string][] {
  const { done } = words.checkout
  const { receipt, store, currency, line_items } = view
  const paid_on = receipt?.completed_on
  const { text, zone } = timeText(new Date(paid_on ?? 0), words, 'with_year')
  const items = line_items.map((one): [string, string] => [
    `${one.name} × ${one.quantity}`,
    moneyText({ amount: one.amount * one.quantity, currency }, words),
  ])
  return [
    [words.texts.amount, amount],
    [done.store, store.name],
    ...(paid_on ? [[done.date, `${text} (${zone})`] as [string, string]] : []),
    [done.way, wayName(view, words)],
    [done.number, receipt?.number ?? ''],
    ...items,
  ]
}

export function wayName({ payment_type, chosen }: CheckoutView, words: CheckoutWords): string {
  const { language, checkout } = words
  if (payment_type === null) return ''
  const { customer_name } = method_facts[payment_type]
  const brand = chosen?.brand ? brandName(chosen.brand, language) : null
  if (brand && chosen?.last_four) return checkout.done.card(brand, chosen.last_four)
  if (customer_name) return wordsIn(customer_name, language)
  return brand ?? brandName(payment_type, language)
}

/** The receipt as a mail: a text, and the same in the colour of the shop. */
export function receiptMail(view: CheckoutView, words: CheckoutWords) {
  const { done } = words.checkout
  const { store, test_mode } = view
  const amount = moneyText(view, words)
  const lines = receiptLines(view, amount, words)
  const sentence = done.sentence(store.name, amount)
  const test = test_mode ? words.texts.test_banner.sentence : null
  const rows = lines.map(
    ([name, value]) => html`<tr><td style="padding:4px 16px 4px 0;color:#4a5566">${name}</td>
<td style="padding:4px 0">${value}</td></tr>
`,
  )
  const color = store.main_color ?? '#10151f'
  const page = html`<!doctype html>
<html lang="${words.language}"><body style="margin:0;padding:24px;font-family:sans-serif;color:#10151f">
<div style="max-width:560px;border-top:6px solid ${color};padding-top:16px">
${test === null ? null : html`<p style="background:#fff3d1;padding:8px">${test}</p>`}
<h1 style="font-size:20px">${done.mail.subject(store.name)}</h1>
<p>${sentence}</p>
<table style="border-collapse:collapse">${rows}</table>
</div></body></html>
`
  const text = [
    ...(test === null ? [] : [test, '']),
    sentence,
    '',
    ...lines.map(([name, value]) => `${name}: ${value}`),
    '',
  ].join('\n')
  return { subject: done.mail.subject(store.name), text, html: markupOf(page) }
}
