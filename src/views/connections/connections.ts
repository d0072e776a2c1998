import { sql } from 'kysely'
import Type from 'typebox'
import type { Caller, Mode } from '../../core/access/caller.ts'
import { common, PaymentTypeText } from '../../core/api/common-fields.ts'
import { described, named, textOf } from '../../core/api/described-schemas.ts'
import { Id, Instant, nullable } from '../../core/api/schemas.ts'
import { statesOf } from '../../core/payments/states.ts'
import { cardDataOf, payerOf } from '../../methods/method-table.ts'
import { ChargeErrorView } from '../../methods/pieces/shown-pieces.ts'
import type { Service } from '../../service.ts'
import { requireRow } from '../../store/sql/reads/find-row.ts'
import { firstOfPersons } from '../customers/person.ts'

const text = nullable(Type.String())

const ConnectedCustomer = named(
  'ConnectedCustomer',
  Type.Object({
    id: described(Id, 'The key of the customer.'),
    name: described(text, 'The name of the customer; null where it is not known.'),
    email: described(text, 'The e-mail of the customer; null without one.'),
  }),
  'The customer of a payment or a subscription.',
)

export const ChargeConnections = named(
  'ChargeConnections',
  Type.Object({
    customer: described(
      nullable(ConnectedCustomer),
      'The customer; null until a payment of theirs has ended.',
    ),
    transfer: described(
      nullable(
        named(
          'ConnectedTransfer',
          Type.Object({
            id: described(Id, 'The id of the transfer.'),
            status: described(textOf(null, statesOf('transfer')), 'The status of the transfer.'),
            to: described(Instant, 'The end of the period that it pays out.'),
          }),
          'The payout that a payment is part of.',
        ),
      ),
      'The payout with the money of the charge; null until there is one.',
    ),
  }),
  'The objects that a charge belongs to.',
)

export const SubscriptionConnections = named(
  'SubscriptionConnections',
  Type.Object({
    customer: described(
      nullable(ConnectedCustomer),
      'The customer; null until a payment of theirs has ended.',
    ),
    name: described(text, 'The name on the payment method; null where it has none.'),
    email: described(text, 'The e-mail of the payment method; null without one.'),
    payment_type: described(PaymentTypeText, 'How the customer pays.'),
    brand: described(text, 'The brand; null where it is not known.'),
    last_four: described(text, 'The last four digits of a card; otherwise null.'),
    paid_count: described(Type.Integer(), 'The number of successful charges.'),
    failed_count: described(Type.Integer(), 'The number of failed charges.'),
    paid_amount: described(Type.Integer(), 'The sum of the successful charges.'),
    refunded_amount: described(Type.Integer(), 'The refunded part of the amount.'),
    currency: common.currency,
    last_paid_on: described(nullable(Instant), 'When the last successful charge was created.'),
    attempts: described(
      Type.Array(
        named(
          'SubscriptionAttempt',
          Type.Object({
            charge_id: common.charge_id,
            payment_id: described(nullable(Id), 'The planned payment; null without one.'),
            status: described(textOf(null, statesOf('charge')), 'The status of the charge.'),
            amount: common.amount,
            currency: common.currency,
            error: ChargeErrorView,
            created_on: common.created_on,
          }),
          'A charge for a payment of a subscription.',
        ),
      ),
      'The newest charges, at most 100.',
    ),
  }),
  'The customer and the results of a subscription.',
)

interface Payer {
  readonly merchant_id: string
  readonly mode: Mode
  readonly customer_id: string | null
  readonly email: string | null
}

async function customerOf({ db }: Service, { merchant_id, mode, customer_id, email }: Payer) {
  const identity = customer_id ?? email
  if (!identity) return null
  const source = sql`(select * from customers where merchant_id = ${merchant_id}::uuid
    and mode = ${mode} and identity = ${identity})`
  const { rows } = await sql<{ id: string; name: string | null; email: string | null }>`
    select c.id, c.name, c.email from customers c where c.merchant_id = ${merchant_id}::uuid
      and c.id = any(array(${firstOfPersons(source)}))`.execute(db)
  return rows[0] ?? null
}

interface ChargePath {
  readonly store_id: string
  readonly charge_id: string
}

export async function readChargeConnections(
  service: Service,
  { merchant_id, mode }: Caller,
  { store_id, charge_id: id }: ChargePath,
) {
  const charge = await requireRow(service, 'charges', { merchant_id, store_id, id, mode })
  const token = await requireRow(service, 'transaction_tokens', {
    merchant_id,
    id: charge.transaction_token_id,
  })
  const payer = { ...charge, customer_id: token.customer_id }
  const [customer, transfers] = await Promise.all([
    customerOf(service, payer),
    sql<{ id: string; status: string; to: Date }>`
      select t.id, t.status, t."to" from ledger_transactions l
      join transfer_ledgers p on p.merchant_id = l.merchant_id and p.ledger_id = l.id and not p.freed
      join transfers t on t.merchant_id = p.merchant_id and t.id = p.transfer_id
      where l.merchant_id = ${merchant_id}::uuid and l.charge_id = ${id}::uuid
      order by l.id limit 1`.execute(service.db),
  ])
  const [transfer] = transfers.rows
  return {
    customer,
    transfer: transfer ? { ...transfer, to: transfer.to.toISOString() } : null,
  }
}

interface SubscriptionPath {
  readonly store_id: string
  readonly subscription_id: string
}

export async function readSubscriptionConnections(
  service: Service,
  { merchant_id, mode }: Caller,
  { store_id, subscription_id: id }: SubscriptionPath,
) {
  const subscription = await requireRow(service, 'subscriptions', {
    merchant_id,
    store_id,
    id,
    mode,
  })
  const { payment_type, currency, transaction_token_id } = subscription
  const token = await requireRow(service, 'transaction_tokens', {
    merchant_id,
    id: transaction_token_id,
  })
  const { data, customer_id } = token
  const email = token.email?.toLowerCase() ?? null
  const payer = { merchant_id, mode: subscription.mode, customer_id, email }
  const [customer, progress, attempts] = await Promise.all([
    customerOf(service, payer),
    readProgress(service, merchant_id, id),
    readAttempts(service, merchant_id, id),
  ])
  const { name, brand } = payerOf({ payment_type, data })
  const last_four = cardDataOf({ payment_type, data })?.card.last_four ?? null
  return { customer, name, email, payment_type, brand, last_four, currency, ...progress, attempts }
}

async function readProgress({ db }: Service, merchant_id: string, subscription_id: string) {
  const is_paid = sql`filter (where status = 'successful')`
  const { rows } = await sql<{
    paid_count: number
    failed_count: number
    paid_amount: number
    refunded_amount: number
    last_paid_on: Date | null
  }>`
    select (count(*) ${is_paid})::integer as paid_count,
      (count(*) filter (where status in ('failed', 'error')))::integer as failed_count,
      coalesce(sum(charged_amount) ${is_paid}, 0)::bigint as paid_amount,
      coalesce(sum(refunded_amount), 0)::bigint as refunded_amount,
      max(created_on) ${is_paid} as last_paid_on
    from charges where merchant_id = ${merchant_id}::uuid
      and subscription_id = ${subscription_id}::uuid and type = 'normal'`.execute(db)
  const [sums] = rows
  if (!sums) throw new Error('A sum has a row.')
  return { ...sums, last_paid_on: sums.last_paid_on?.toISOString() ?? null }
}

const max_attempts = 100

async function readAttempts({ db }: Service, merchant_id: string, subscription_id: string) {
  const rows = await db
    .selectFrom('charges')
    .select(['id as charge_id', 'payment_id', 'status', 'error', 'created_on'])
    .select(['requested_amount as amount', 'requested_currency as currency'])
    .where('merchant_id', '=', merchant_id)
    .where('subscription_id', '=', subscription_id)
    .orderBy('id', 'desc')
    .limit(max_attempts)
    .execute()
  return rows.map((row) => ({ ...row, created_on: row.created_on.toISOString() }))
}
