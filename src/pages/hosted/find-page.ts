import { frameSources, storeDomains } from '../../accounts/app-tokens/frame-domains.ts'
import { customersUrl, type PageName, pagePath } from '../../api/hosted-links.ts'
import { depositsOf, heldAmount } from '../../commerce/deposits/deposit.ts'
import { customerActions } from '../../commerce/test-actions/test-actions.ts'
import type { ProviderForm } from '../../core/payments/instructions.ts'
import { default_zone } from '../../core/time/schedule.ts'
import { cardDataOf, dataOf, payerOf } from '../../methods/method-table.ts'
import type { Charge } from '../../payments/charges/charge.ts'
import { storeRules } from '../../payments/store-rules/store-rules.ts'
import type { Token } from '../../payments/tokens/token.ts'
import type { CustomerActions } from '../../providers/test-customers.ts'
import type { Service } from '../../service.ts'
import { findRow } from '../../store/sql/reads/find-row.ts'
import type { EndView, HostedView, ReturnedDeposit } from './hosted-view.ts'

/** The subject of a page: a charge, or the authentication of a token. */
export type Subject =
  | { readonly kind: 'charge'; readonly charge: Charge; readonly token: Token }
  | { readonly kind: 'token'; readonly token: Token }

/** The charge or token of the page; null: the page is unknown. */
export async function findPage(service: Service, name: PageName): Promise<Subject | null> {
  const charge = await findRow(service, 'charges', {
    merchant_id: name.merchant_id,
    page_id: name.page_id,
  })
  let tokens = service.db
    .selectFrom('transaction_tokens')
    .selectAll()
    .where('merchant_id', '=', name.merchant_id)
  tokens = charge
    ? tokens.where('id', '=', charge.transaction_token_id)
    : tokens.where('page_id', '=', name.page_id)
  const token = await tokens.executeTakeFirst()
  if (!token) return null
  return charge ? { kind: 'charge', charge, token } : { kind: 'token', token }
}

/** A tester's actions on the page; null: only the customer can act. */
export function actionsOn(service: Service, subject: Subject): CustomerActions | null {
  if (subject.kind === 'charge') return customerActions(service, subject.charge)
  const { mode, payment_type, authentication } = subject.token
  const { brand } = payerOf(subject.token)
  const provider = authentication?.provider ?? null
  return customerActions(service, { mode, payment_type, brand, provider })
}

/** Whether the customer can still act on the page. */
export function isOpen(service: Service, subject: Subject): boolean {
  return endOf(service, subject) === null
}

/** Why there is nothing more to do; null while there is. */
function endOf(service: Service, subject: Subject): EndView['end'] | null {
  const now_ms = service.clock.now()
  const isOver = (expires_on: Date | null) => expires_on !== null && expires_on.getTime() <= now_ms
  if (subject.kind === 'token') {
    const { three_ds, three_ds_expires_on, active } = subject.token
    if (!active) return 'canceled'
    if (three_ds.status === 'awaiting') return isOver(three_ds_expires_on) ? 'expired' : null
    if (three_ds.status === 'pending') return 'processing'
    if (three_ds.status === 'successful') return 'authenticated'
    return three_ds.error?.code === 327 ? 'expired' : 'declined'
  }
  const { status, error, expires_on, pending_action, three_ds_passed_on } = subject.charge
  if (status === 'pending') return 'processing'
  if (status === 'awaiting') {
    if (isOver(expires_on)) return 'expired'
    return pending_action || three_ds_passed_on ? 'processing' : null
  }
  if (status === 'successful' || status === 'authorized') return 'paid'
  if (status === 'canceled') return 'canceled'
  return error?.code === 327 ? 'expired' : 'declined'
}

/** Whether money that was sent has been posted to the charge. */
export async function isPosted(
  service: Service,
  { merchant_id }: Charge,
  reference: string,
): Promise<boolean> {
  const deposit = await service.db
    .selectFrom('deposits')
    .select('id')
    .where('merchant_id', '=', merchant_id)
    .where('reference', '=', reference)
    .executeTakeFirst()
  return deposit !== undefined
}

export function returnUrlOf(subject: Subject): string | null {
  return subject.kind === 'charge' ? subject.charge.redirect_url : subject.token.redirect_url
}

/** How the customer came to the page. */
export interface Visit {
  /** A wallet that has scanned the code of the page. */
  readonly wallet: boolean
  /** The customer checks whether the payment has arrived. */
  readonly checked: boolean
}

/** The current content of the page. */
export async function viewPage(
  service: Service,
  name: PageName,
  subject: Subject,
  visit: Visit,
): Promise<HostedView> {
  const common = await viewCommon(service, subject)
  const end = endOf(service, subject)
  if (end) return viewEnd(service, subject, end, common)
  return (await viewOpen(service, name, subject, visit, common)) ?? { kind: 'nobody' }
}

/** The result for a customer after acting. An unknown result is shown as being processed. */
export async function viewLeaving(service: Service, subject: Subject): Promise<EndView> {
  const common = await viewCommon(service, subject)
  const end = endOf(service, subject) ?? 'processing'
  return { ...(await viewEnd(service, subject, end, common)), leaving: true }
}

async function viewEnd(
  service: Service,
  subject: Subject,
  end: EndView['end'],
  common: Common,
): Promise<EndView> {
  const charge = subject.kind === 'charge' ? subject.charge : null
  return {
    kind: 'end',
    end,
    return_url: returnUrlOf(subject),
    ...common,
    receipt_number: charge?.id ?? null,
    paid_on: charge && (await paidOn(service, charge)),
    brand: charge?.brand ?? null,
    last_four: charge?.last_four ?? null,
    refunded_amount: charge?.refunded_amount ?? 0,
    returned: charge?.match_amount ? await returnedTo(service, charge) : [],
  }
}

/** The row of a charge changes later too; its first entry in the ledger does not. */
async function paidOn(service: Service, { merchant_id, id }: Charge): Promise<Date | null> {
  const entry = await service.db
    .selectFrom('ledger_transactions')
    .select('created_on')
    .where('merchant_id', '=', merchant_id)
    .where('charge_id', '=', id)
    .where('kind', 'in', ['authorization', 'capture'])
    .orderBy('id')
    .executeTakeFirst()
  return entry?.created_on ?? null
}

/** At most as many as a customer reads. */
const max_returned = 5

async function returnedTo(service: Service, charge: Charge): Promise<ReturnedDeposit[]> {
  const in_parts = charge.match_amount === 'maximum' || charge.match_amount === 'disabled'
  let held = 0
  const returned = (await depositsOf(service, charge)).flatMap((deposit) => {
    const { amount, return_amount, return_reason: reason, status } = deposit
    const sum = (in_parts ? held : 0) + amount
    if (reason !== 'too_much' && reason !== 'too_little' && reason !== 'late') held += amount
    if (reason === null || status === 'held' || status === 'applied') return []
    const difference = Math.abs(sum - charge.provider_amount)
    const arrived_on = deposit.created_on
    return { amount, difference, returned_amount: return_amount, reason, status, arrived_on }
  })
  return returned.slice(-max_returned)
}

type Common = Pick<
  EndView,
  'store_name' | 'logo_url' | 'main_color' | 'time_zone' | 'test_mode' | 'ancestors' | 'money'
>

async function viewCommon(service: Service, subject: Subject): Promise<Common> {
  const { merchant_id, store_id } = subject.token
  const store = await service.db
    .selectFrom('stores')
    .select('name')
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', store_id)
    .executeTakeFirst()
  const { configuration } = await storeRules(service, merchant_id, store_id, true)
  return {
    store_name: store?.name ?? '',
    logo_url: configuration.logo_url,
    main_color: configuration.checkout_configuration.main_color,
    time_zone: configuration.display_time_zone ?? default_zone,
    test_mode: actionsOn(service, subject) !== null,
    ancestors: await ancestorsOf(service, subject),
    money: moneyOf(subject),
  }
}

/** The checkout shows the page of a bank in a frame, and may be in a frame of the shop's page itself. */
async function ancestorsOf(service: Service, subject: Subject): Promise<string[]> {
  if (!returnUrlOf(subject)?.startsWith(`${customersUrl(service)}/checkout/`)) return []
  const domains = await storeDomains(service, subject.token)
  return ["'self'", ...frameSources({ mode: subject.token.mode, domains })]
}

function moneyOf(subject: Subject) {
  if (subject.kind === 'token') return null
  const { charge } = subject
  // Cash and transfers are made in the charged currency; a card is asked in its own.
  return charge.match_amount
    ? { amount: charge.provider_amount, currency: charge.provider_currency }
    : { amount: charge.requested_amount, currency: charge.requested_currency }
}

async function viewOpen(
  service: Service,
  name: PageName,
  subject: Subject,
  { wallet, checked }: Visit,
  common: Common,
): Promise<HostedView | null> {
  const action = pagePath(name)
  const form = formOf(subject)
  if (form) {
    const brand = isChallenge(subject) ? null : brandOf(subject)
    return { kind: 'forward', ...common, brand, form }
  }
  if (subject.kind === 'token') {
    const expires_on = subject.token.three_ds_expires_on ?? new Date(service.clock.now())
    return { kind: 'three_ds', ...common, action, expires_on, ...cardOf(subject.token) }
  }
  const { charge, token } = subject
  const { instructions } = charge
  const brand = charge.brand ?? ''
  const expires_on = charge.expires_on ?? new Date(service.clock.now())
  const acting = { ...common, action, expires_on }
  const checked_on = checked ? new Date(service.clock.now()) : null
  switch (instructions?.kind) {
    case 'three_ds':
      if (!common.test_mode) return null
      return { kind: 'three_ds', ...acting, ...cardOf(token) }
    case 'online':
      if (!common.test_mode) return null
      return { kind: 'online', ...acting, brand }
    case 'qr': {
      if (wallet) return { kind: 'online', ...acting, action: `${action}/wallet`, brand }
      const wallet_path = common.test_mode ? `${action}/wallet` : null
      return {
        kind: 'qr',
        ...common,
        brand,
        image_path: `${action}/qr.svg`,
        wallet_path,
        expires_on,
        checked_on,
      }
    }
    case 'konbini': {
      const { payment_code, company_code, confirmation_code, barcode } = instructions
      const customer_name = dataOf(token, 'konbini')?.customer_name ?? ''
      return {
        kind: 'konbini',
        ...acting,
        convenience_store: brand,
        checked_on,
        customer_name,
        payment_code,
        company_code: company_code ?? null,
        confirmation_code: confirmation_code ?? null,
        barcode: barcode ?? null,
      }
    }
    case 'bank_transfer': {
      const { kind, account_id: _, ...account } = instructions
      const received = await heldAmount(service, charge)
      const match_amount = charge.match_amount ?? 'exact'
      const returned = await returnedTo(service, charge)
      return { kind, ...acting, ...account, checked_on, match_amount, received, returned }
    }
    default:
      return null
  }
}

/** The external page for the customer; null: this page. */
export function formOf(subject: Subject): ProviderForm | null {
  if (subject.kind === 'token') return subject.token.authentication?.form ?? null
  const { instructions } = subject.charge
  return instructions && 'form' in instructions ? (instructions.form ?? null) : null
}

/** Whether the cardholder is asked to authenticate without a payment. */
export function isChallenge(subject: Subject): boolean {
  return subject.kind === 'token' || subject.charge.instructions?.kind === 'three_ds'
}

function brandOf(subject: Subject): string {
  return subject.kind === 'charge' ? (subject.charge.brand ?? '') : ''
}

function cardOf(token: Token) {
  const card = cardDataOf(token)?.card
  return { card_brand: card?.brand ?? '', last_four: card?.last_four ?? '' }
}
