import type { CheckoutView } from '../../commerce/checkout/customer/checkout-view.ts'
import { type Html, html } from '../frame/escaped-html.ts'
import { moneyText, webAddress } from '../hosted/hosted-parts.ts'
import type { CheckoutWords } from './checkout-fields.ts'

export function renderItems(
  { line_items, currency }: CheckoutView,
  words: CheckoutWords,
): Html | null {
  if (line_items.length === 0) return null
  const { checkout } = words
  const lines = line_items.map(({ name, quantity, amount, description, image_url }) => {
    const picture = webAddress(image_url)
    return html`<li>${
      picture &&
      html`<img src="${picture}" alt="" width="48" height="48" loading="lazy" referrerpolicy="no-referrer">`
    }
<span class="what">${name}${
      quantity > 1 ? html` <small>${checkout.quantity(String(quantity))}</small>` : null
    }
${description ? html`<small>${description}</small>` : null}</span>
<span class="price">${moneyText({ amount: amount * quantity, currency }, words)}</span></li>
`
  })
  return html`<h2 class="unseen">${checkout.items}</h2>
<ul class="items">${lines}</ul>`
}
