import type { CheckoutView } from '../../commerce/checkout/customer/checkout-view.ts'
import { type Html, html } from '../frame/escaped-html.ts'
import { webAddress } from '../hosted/hosted-parts.ts'
import type { CheckoutWords } from './checkout-fields.ts'

/** Whom a customer can ask, and what the law and the shop want them to be able to read. */
export function renderLegal(store: CheckoutView['store'], { checkout }: CheckoutWords): Html {
  const { contact_email, contact_phone, contact_url } = store
  const links = [
    [checkout.law, store.commercial_disclosure_url],
    [checkout.privacy, store.privacy_url],
    [checkout.terms, store.terms_url],
    [checkout.questions, contact_url],
  ] as const
  const shown = links.flatMap(([name, address]) => {
    const found = webAddress(address ?? null)
    return found ? html`<a href="${found}" target="_blank" rel="noreferrer">${name}</a>` : []
  })
  const mail = contact_email
    ? html`<a href="mailto:${encodeURIComponent(contact_email)}">${contact_email}</a>`
    : null
  return html`${shown.map((link) => html`<p>${link}</p>`)}
${mail ? html`<p>${mail}</p>` : null}${contact_phone ? html`<p>${contact_phone}</p>` : null}`
}
