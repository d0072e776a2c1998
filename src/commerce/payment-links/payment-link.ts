import type { Selectable } from 'kysely'
import Type, { type Static } from 'typebox'
import { paymentLinkUrl, readPageKey } from '../../api/hosted-links.ts'
import type { Caller } from '../../core/access/caller.ts'
import { common, filters } from '../../core/api/common-fields.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { Id, Instant, nullable, PageOf, PageParameters } from '../../core/api/schemas.ts'
import { now, type Service } from '../../service.ts'
import { findRow, requireRow } from '../../store/sql/reads/find-row.ts'
import { listRows } from '../../store/sql/reads/list-rows.ts'
import type { Page } from '../../store/sql/reads/page.ts'
import type { PaymentLinkTable } from '../../store/tables/commerce/checkout-tables.ts'
import { option_views } from '../checkout/checkout-session.ts'

export type PaymentLink = Selectable<PaymentLinkTable>

const whole = nullable(Type.Integer())

export const PaymentLinkView = named(
  'PaymentLink',
  Type.Object({
    id: described(Id, 'The id of the payment link.'),
    merchant_id: common.merchant_id,
    store_id: common.store_id,
    mode: common.mode,
    url: described(Type.String(), 'The address of the payment page; it can be shared with anyone.'),
    qr_code_svg_url: described(Type.String(), 'The address of the same as a QR code, for you.'),
    name: described(Type.String(), 'The items that customers pay for.'),
    amount: described(whole, 'The amount; null where the customer chooses it.'),
    amount_choice: described(
      nullable(
        named(
          'AmountChoice',
          Type.Object({
            min: described(Type.Integer(), 'The least that a customer can pay.'),
            max: described(Type.Integer(), 'The most that a customer can pay.'),
            suggested: described(whole, 'The amount that the page suggests; null: none.'),
          }),
          'Between which amounts customers choose.',
        ),
      ),
      'Between which amounts customers choose; null with a fixed amount.',
    ),
    currency: common.currency,
    ...option_views,
    max_uses: described(whole, 'The maximum number of payments; null: no limit.'),
    uses: described(Type.Integer(), 'How often it was paid.'),
    active: described(Type.Boolean(), 'Whether it can be paid at.'),
    expires_on: described(nullable(Instant), 'The expiry time; null: never.'),
    created_on: common.created_on,
    updated_on: common.updated_on,
  }),
  'An address at which any number of customers pay.',
)
export const PaymentLinkPage = PageOf(PaymentLinkView)

export function viewPaymentLink(service: Service, link: PaymentLink) {
  const { store_id, id, options } = link
  const { base_url } = service.address
  const { line_items: _, customer: __, capture_at: ___, ...shown } = options
  return {
    id,
    merchant_id: link.merchant_id,
    store_id,
    mode: link.mode,
    url: paymentLinkUrl(service, link),
    qr_code_svg_url: `${base_url}/stores/${store_id}/payment_links/${id}/qr_code`,
    name: link.name,
    amount: link.amount,
    amount_choice: link.amount_choice,
    currency: link.currency,
    ...shown,
    max_uses: link.max_uses,
    uses: link.uses,
    active: link.active,
    expires_on: link.expires_on?.toISOString() ?? null,
    created_on: link.created_on.toISOString(),
    updated_on: link.updated_on.toISOString(),
  }
}

/** Whether a customer can begin to pay, as far as is known before a use is reserved. */
export function isLinkOpen(service: Service, link: PaymentLink): boolean {
  const { active, expires_on, max_uses, uses, reserved } = link
  const is_left = max_uses === null || uses + reserved < max_uses
  return active && is_left && (expires_on === null || expires_on > now(service))
}

export interface LinkPath {
  readonly store_id: string
  readonly payment_link_id: string
}

export async function getPaymentLink(
  service: Service,
  caller: Pick<Caller, 'merchant_id' | 'mode'>,
  { store_id, payment_link_id }: LinkPath,
  lock = false,
): Promise<PaymentLink> {
  const { merchant_id, mode } = caller
  const known = { merchant_id, store_id, id: payment_link_id, mode }
  return requireRow(service, 'payment_links', known, lock)
}

/** The link of a page, by the secret in its address; null: there is none. */
export async function findPaymentLink(service: Service, key: string): Promise<PaymentLink | null> {
  const name = readPageKey(key)
  if (!name) return null
  return findRow(service, 'payment_links', { merchant_id: name.merchant_id, page_id: name.page_id })
}

export const ListPaymentLinks = Type.Object({
  ...PageParameters,
  active: described(
    Type.Optional(Type.Boolean()),
    'Only active items (`true`), or only inactive ones (`false`).',
  ),
  mode: filters.mode,
})

export async function listPaymentLinks(
  service: Service,
  caller: Caller,
  store_id: string | null,
  filter: Static<typeof ListPaymentLinks>,
): Promise<Page<PaymentLink>> {
  const { merchant_id, mode: of_caller } = caller
  const { active, mode } = filter
  const known = { merchant_id, store_id, mode: of_caller }
  return listRows(service, 'payment_links', known, filter, { active, mode })
}
