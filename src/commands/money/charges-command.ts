import { storeNames } from '../../accounts/stores/store-names.ts'
import { PlainError } from '../../core/api/plain-error.ts'
import { type Charge, viewCharge } from '../../payments/charges/charge.ts'
import { explainCharge } from '../../payments/charges/explain-charge.ts'
import { routeText } from '../../payments/routing/route-text.ts'
import type { Service } from '../../service.ts'
import { idAt } from '../../store/sql/reads/page.ts'
import type { OptionsOf, Run } from '../command-table.ts'
import { readTime } from '../line/read-time.ts'
import {
  type Column,
  moneyText,
  showList,
  showRecord,
  statusColor,
  tableText,
  timeText,
} from '../line/show.ts'
import { withMerchant } from '../line/with-service.ts'

const usual_limit = 20
const max_limit = 1000

/** A charge as its list shows it: also what it was paid with, and the name of its store. */
async function viewListed(service: Service, merchant_id: string, charges: readonly Charge[]) {
  const namesOf = await storeNames(service, merchant_id, charges)
  return charges.map((charge) => {
    const { payment_type, brand, cardholder, email, refunded_amount, authorized_on } = charge
    const { store_name } = namesOf(charge)
    const paid_with = { payment_type, brand, cardholder, email }
    return {
      ...viewCharge(service, charge),
      ...paid_with,
      refunded_amount,
      authorized_on,
      store_name,
    }
  })
}
type ListedCharge = Awaited<ReturnType<typeof viewListed>>[number]

const amount = (one: ListedCharge) => moneyText(one.requested_amount, one.requested_currency)
const payer = (one: ListedCharge) => one.cardholder ?? one.email ?? ''
const method = (one: ListedCharge) => [one.payment_type, one.brand].filter(Boolean).join(' ')
const reason = ({ error }: ListedCharge) => (error ? `${error.code} ${error.message}` : '')

const columns: readonly Column<ListedCharge>[] = [
  { title: 'ID', text: (one) => one.id },
  { title: 'CREATED', text: (one) => timeText(one.created_on) },
  { title: 'AMOUNT', text: amount, align: 'right' },
  { title: 'STATUS', text: (one) => one.status, color: (one) => statusColor(one.status) },
  { title: 'METHOD', text: method, shrinks: true },
  { title: 'PAYER', text: payer, shrinks: true },
  { title: 'ERROR', text: reason, shrinks: true },
]

const fields: readonly Column<ListedCharge>[] = [
  { title: 'Charge', text: (one) => one.id },
  { title: 'Status', text: (one) => one.status, color: (one) => statusColor(one.status) },
  { title: 'Error', text: reason, color: () => 'red' },
  { title: 'Requested', text: amount },
  { title: 'Charged', text: (one) => moneyText(one.charged_amount, one.charged_currency) },
  { title: 'Refunded', text: (one) => moneyText(one.refunded_amount, one.charged_currency) },
  { title: 'Fee', text: (one) => moneyText(one.fee_amount, one.fee_currency) },
  { title: 'Mode', text: (one) => one.mode },
  { title: 'Paid with', text: method },
  { title: 'Payer', text: (one) => [one.cardholder, one.email].filter(Boolean).join(', ') },
  { title: 'Store', text: (one) => `${one.store_name} (${one.store_id})` },
  { title: 'Merchant', text: (one) => one.merchant_id },
  { title: 'Token', text: (one) => `${one.transaction_token_id} (${one.transaction_token_type})` },
  { title: 'Subscription', text: (one) => one.subscription_id ?? '' },
  { title: 'Own id', text: (one) => one.merchant_transaction_id ?? '' },
  {
    title: 'Metadata',
    text: ({ metadata }) => (Object.keys(metadata).length > 0 ? JSON.stringify(metadata) : ''),
  },
  { title: 'Capture at', text: (one) => timeText(one.capture_at) },
  { title: 'Created', text: (one) => timeText(one.created_on) },
  { title: 'Updated', text: (one) => timeText(one.updated_on) },
]

export const listChargesCommand: Run<'charges list'> = async (context, [given], options) => {
  const { limit = usual_limit } = options
  if (limit > max_limit) throw new PlainError(`--limit must be between 1 and ${max_limit}.`)
  const charges = await withMerchant(context.config, given, async (service, merchant_id) =>
    viewListed(service, merchant_id, await findCharges(service, merchant_id, options, limit)),
  )
  showList(context.terminal, charges, columns, options)
  return 0
}

function findCharges(
  { db }: Service,
  merchant_id: string,
  options: OptionsOf<'charges list'>,
  limit: number,
): Promise<Charge[]> {
  const { store, status, mode, from, to } = options
  let charges = db.selectFrom('charges').selectAll().where('merchant_id', '=', merchant_id)
  if (store) charges = charges.where('store_id', '=', store)
  if (status) charges = charges.where('status', '=', status)
  if (mode) charges = charges.where('mode', '=', mode)
  if (from) charges = charges.where('id', '>=', idAt(readTime('from', from)))
  if (to) charges = charges.where('id', '<', idAt(readTime('to', to)))
  return charges.orderBy('id', 'desc').limit(limit).execute()
}

export const showCharge: Run<'charges show'> = async (context, [given, id = ''], options) => {
  const [charge] = await withMerchant(context.config, given, async (service, merchant_id) => {
    const found = await service.db
      .selectFrom('charges')
      .selectAll()
      .where('merchant_id', '=', merchant_id)
      .where('id', '=', id)
      .execute()
    return viewListed(service, merchant_id, found)
  })
  if (!charge) throw new PlainError(`The merchant has no charge ${id}.`)
  showRecord(context.terminal, charge, fields, options)
  return 0
}

type Explained = NonNullable<Awaited<ReturnType<typeof explainCharge>>>
type Operation = Explained['operations'][number]

const operation_columns: readonly Column<Operation>[] = [
  { title: 'STARTED', text: (one) => timeText(one.started_on) },
  { title: 'PROVIDER', text: (one) => one.provider },
  { title: 'CALL', text: (one) => (one.is_inquiry ? `inquire ${one.kind}` : one.kind) },
  { title: 'ATTEMPT', text: (one) => String(one.attempt), align: 'right' },
  {
    title: 'OUTCOME',
    text: (one) => one.outcome ?? 'running',
    color: (one) => statusColor(one.outcome ?? ''),
  },
  { title: 'CODE', text: (one) => String(one.code ?? ''), align: 'right' },
  { title: 'PROVIDER CODE', text: (one) => one.raw_code ?? '', shrinks: true },
  { title: 'MESSAGE', text: (one) => one.raw_message ?? '', shrinks: true },
]

const explained_fields: readonly Column<Explained>[] = [
  { title: 'Charge', text: ({ charge }) => charge.id },
  {
    title: 'Status',
    text: ({ charge }) => charge.status,
    color: ({ charge }) => statusColor(charge.status),
  },
  {
    title: 'Error',
    text: ({ charge }) => (charge.error ? `${charge.error.code} ${charge.error.message}` : ''),
    color: () => 'red',
  },
  {
    title: 'Requested',
    text: ({ charge }) => moneyText(charge.requested_amount, charge.requested_currency),
  },
  { title: 'Provider', text: ({ provider }) => provider ?? 'none' },
  { title: 'Route', text: ({ route }) => (route ? routeText(route) : '') },
  { title: 'Its reference', text: ({ provider_reference }) => provider_reference ?? '' },
  { title: 'Authorization', text: ({ authorization_code }) => authorization_code ?? '' },
  { title: 'In progress', text: ({ pending_action }) => pending_action ?? '' },
  { title: 'Due', text: ({ due_on }) => timeText(due_on) },
]

export const explainChargeCommand: Run<'charges explain'> = async (context, args, options) => {
  const [given, id = ''] = args
  const { terminal } = context
  const explained = await withMerchant(context.config, given, (service, merchant_id) =>
    explainCharge(service, merchant_id, id),
  )
  if (!explained) throw new PlainError(`The merchant has no charge ${id}.`)
  showRecord(terminal, explained, explained_fields, options)
  if (terminal.is_terminal && !options.json) {
    const { operations } = explained
    const calls = tableText(terminal, operations, operation_columns)
    terminal.write(
      operations.length > 0 ? `\n${calls}` : '\nNo request was sent to the provider.\n',
    )
  }
  return 0
}
