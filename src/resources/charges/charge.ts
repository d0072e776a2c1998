import type { Selectable } from 'kysely'
import Type, { type Static } from 'typebox'
import type { Caller } from '../../core/caller.ts'
import { extended, named, textOf } from '../../core/described-schemas.ts'
import { fail } from '../../core/errors.ts'
import { formatAmount, max_amount } from '../../core/money/money.ts'
import { AnyObject, Id, Instant, MetadataSchema, nullable, PageOf } from '../../core/schemas.ts'
import { statesOf } from '../../core/states.ts'
import type { Metadata } from '../../core/text/metadata.ts'
import { searchWords } from '../../core/text/search-words.ts'
import { isoTime } from '../../core/time/iso-time.ts'
import { isTransacting, type Service } from '../../service.ts'
import { newRowReader } from '../../store/sql/row-reader.ts'
import type { ChargeTable } from '../../store/tables/tables.ts'
import { CreatedOn, compatibilityOf } from '../compatibility.ts'
import { ChargeErrorView } from '../payment-methods/shown-pieces.ts'

export type Charge = Selectable<ChargeTable>

/** By which words a charge or one of its refunds is found, with metadata of its own. */
export function wordsOf(
  { merchant_id, cardholder, email, last_four }: Charge,
  metadata: Metadata,
): string | null {
  return searchWords(merchant_id, cardholder, email, last_four, metadata)
}

export const Amount = Type.Integer({ minimum: 1, maximum: max_amount })
export const Currency = Type.String({ format: 'currency' })
const Url = Type.String({ format: 'url' })
const Endpoint = nullable(
  named('CreateRedirect', Type.Object({ endpoint: Type.Optional(nullable(Url)) })),
)
const short_text = Type.String({ minLength: 1, maxLength: 255 })

export const three_ds_modes = [
  'normal',
  'require',
  'force',
  'skip',
  'if_available',
  'provided',
] as const

/** The result of an authentication that was done elsewhere: all of it, or nothing. */
export const external_three_ds = [
  'authentication_value',
  'eci',
  'ds_transaction_id',
  'server_transaction_id',
  'message_version',
  'transaction_status',
] as const

export const ThreeDs = named(
  'CreateChargeThreeDs',
  Type.Object({
    mode: Type.Optional(nullable(Type.Enum([...three_ds_modes]))),
    redirect_endpoint: Type.Optional(nullable(Url)),
    authentication_value: Type.Optional(nullable(short_text)),
    eci: Type.Optional(nullable(short_text)),
    ds_transaction_id: Type.Optional(nullable(short_text)),
    server_transaction_id: Type.Optional(nullable(short_text)),
    message_version: Type.Optional(nullable(short_text)),
    transaction_status: Type.Optional(nullable(short_text)),
  }),
)

export const PatchCharge = named(
  'UpdateCharge',
  Type.Object({ metadata: Type.Optional(MetadataSchema) }),
)

/** How the cardholder of a charge or of a subscription is authenticated. */
export const ThreeDsView = named(
  'ThreeDs',
  Type.Object({
    mode: nullable(Type.String()),
    redirect_endpoint: nullable(Type.String()),
    redirect_id: nullable(Id),
  }),
)

export const CreateCharge = named(
  'CreateCharge',
  Type.Object({
    transaction_token_id: Id,
    amount: Amount,
    currency: Currency,
    only_direct_currency: Type.Optional(nullable(Type.Boolean())),
    capture: Type.Optional(nullable(Type.Boolean())),
    capture_at: Type.Optional(nullable(Type.String({ format: 'instant' }))),
    merchant_transaction_id: Type.Optional(
      nullable(Type.String({ pattern: '^[A-Za-z0-9]{1,32}$' })),
    ),
    metadata: Type.Optional(nullable(MetadataSchema)),
    redirect: Type.Optional(Endpoint),
    redirect_three_ds: Type.Optional(Endpoint),
    three_ds_mode: Type.Optional(nullable(Type.Enum([...three_ds_modes]))),
    three_ds: Type.Optional(nullable(ThreeDs)),
    descriptor: Type.Optional(nullable(Type.String({ maxLength: 64 }))),
    descriptor_phone_number: Type.Optional(nullable(Type.String({ maxLength: 32 }))),
    ignore_descriptor_on_error: Type.Optional(nullable(Type.Boolean())),
    client_metadata: Type.Optional(nullable(AnyObject)),
  }),
)
export type CreateCharge = Static<typeof CreateCharge>

const text = nullable(Type.String())
const number = nullable(Type.Number())
const whole = nullable(Type.Integer())

const fields = {
  id: Id,
  merchant_id: Id,
  store_id: Id,
  transaction_token_id: Id,
  transaction_token_type: Type.String(),
  subscription_id: nullable(Id),
  merchant_transaction_id: text,
  requested_amount: Type.Integer(),
  requested_currency: Type.String(),
  requested_amount_formatted: Type.Number(),
  charged_amount: whole,
  charged_currency: text,
  charged_amount_formatted: number,
  fee_amount: whole,
  fee_currency: text,
  fee_amount_formatted: number,
  only_direct_currency: Type.Boolean(),
  capture_at: nullable(Instant),
  descriptor: text,
  descriptor_phone_number: text,
  status: textOf('ChargeStatus', statesOf('charge')),
  error: ChargeErrorView,
  metadata: MetadataSchema,
  mode: Type.String(),
  type: Type.String(),
  redirect: nullable(named('Redirect', Type.Object({ endpoint: Type.String(), redirect_id: Id }))),
  three_ds: nullable(ThreeDsView),
  created_on: CreatedOn,
  updated_on: Instant,
}
export const ChargeView = named('Charge', Type.Object(fields))
/** A list also shows the names of store and merchant. */
export const ChargePage = PageOf(
  extended('ChargeItem', ChargeView, { merchant_name: Type.String(), store_name: Type.String() }),
)

/** Amount and major unit of it, or null where there is no amount. */
function formatted(amount: number | null, currency: string | null): number | null {
  return amount === null || currency === null ? null : formatAmount(amount, currency)
}

/** Fields of the view that no column has. */
const computed = [
  'requested_amount_formatted',
  'charged_amount_formatted',
  'fee_amount_formatted',
  'fee_currency',
] as const
type ViewedColumn = Exclude<keyof typeof fields, (typeof computed)[number]>
export type ViewedCharge = Pick<Charge, ViewedColumn>

/** What the view below is made of. */
const viewed_columns = Object.keys(fields).filter(
  (name): name is ViewedColumn => !computed.some((one) => one === name),
)

export function viewCharge(
  { config }: Pick<Service, 'config'>,
  charge: ViewedCharge,
  with_secret = true,
) {
  const { charged_amount, charged_currency, fee_amount } = charge
  const fee_currency = fee_amount === null ? null : charged_currency
  return {
    id: charge.id,
    merchant_id: charge.merchant_id,
    store_id: charge.store_id,
    transaction_token_id: charge.transaction_token_id,
    transaction_token_type: charge.transaction_token_type,
    subscription_id: charge.subscription_id,
    merchant_transaction_id: charge.merchant_transaction_id,
    requested_amount: charge.requested_amount,
    requested_currency: charge.requested_currency,
    requested_amount_formatted: formatAmount(charge.requested_amount, charge.requested_currency),
    charged_amount,
    charged_currency,
    charged_amount_formatted: formatted(charged_amount, charged_currency),
    fee_amount,
    fee_currency,
    fee_amount_formatted: formatted(fee_amount, fee_currency),
    only_direct_currency: charge.only_direct_currency,
    capture_at: charge.capture_at && isoTime(charge.capture_at),
    descriptor: charge.descriptor,
    descriptor_phone_number: charge.descriptor_phone_number,
    status: charge.status,
    error: charge.error,
    metadata: with_secret ? charge.metadata : {},
    mode: charge.mode,
    type: charge.type,
    redirect: charge.redirect,
    three_ds: charge.three_ds,
    created_on: compatibilityOf(config).createdOn(charge.created_on),
    updated_on: isoTime(charge.updated_on),
  }
}

export interface ChargePath {
  store_id: string
  charge_id: string
}

type ChargeReader = Pick<Caller, 'merchant_id' | 'mode'>

const wholeCharges = newRowReader('charges')
const viewedCharges = newRowReader('charges', viewed_columns)

/** The charge, if the caller may see it. Locked, changes of it run one after the other. */
export async function getCharge(
  service: Service,
  caller: ChargeReader,
  path: ChargePath,
  lock = false,
): Promise<Charge> {
  const { merchant_id } = caller
  if (!isTransacting(service)) {
    return visible(
      caller,
      path,
      await wholeCharges(service.db)({ merchant_id, id: path.charge_id }),
    )
  }
  let charges = service.db
    .selectFrom('charges')
    .selectAll()
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', path.charge_id)
  if (lock) charges = charges.forUpdate()
  return visible(caller, path, (await charges.executeTakeFirst()) ?? null)
}

/** What its view shows of it. */
export async function getViewedCharge(
  { db }: Service,
  caller: ChargeReader,
  path: ChargePath,
): Promise<ViewedCharge> {
  const { merchant_id } = caller
  return visible(caller, path, await viewedCharges(db)({ merchant_id, id: path.charge_id }))
}

function visible<Row extends Pick<Charge, 'store_id' | 'mode'>>(
  { mode }: ChargeReader,
  { store_id }: ChargePath,
  charge: Row | null,
): Row {
  const is_there = charge?.store_id === store_id.toLowerCase()
  if (!charge || !is_there || (mode && charge.mode !== mode)) fail('NOT_FOUND')
  return charge
}
