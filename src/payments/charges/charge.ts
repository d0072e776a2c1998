import Type from 'typebox'
import { CreatedOn, compatibilityOf } from '../../api/responses/compatibility.ts'
import type { Caller } from '../../core/access/caller.ts'
import { common, TokenTypeText } from '../../core/api/common-fields.ts'
import { described, extended, named, textOf } from '../../core/api/described-schemas.ts'
import { fail } from '../../core/api/errors.ts'
import { Id, Instant, nullable, PageOf, withTotal } from '../../core/api/schemas.ts'
import { formatAmount } from '../../core/money/money.ts'
import { statesOf } from '../../core/payments/states.ts'
import type { Metadata } from '../../core/text/metadata.ts'
import { searchWords } from '../../core/text/search-words.ts'
import { isoTime } from '../../core/time/iso-time.ts'
import { ChargeErrorView } from '../../methods/pieces/shown-pieces.ts'
import { isTransacting, type Service } from '../../service.ts'
import { findRow } from '../../store/sql/reads/find-row.ts'
import { newRowReader } from '../../store/sql/reads/row-reader.ts'
import type { Charge } from '../../store/tables/rows.ts'
import { three_ds_modes } from './charge-input.ts'

export type { Charge }

/** By which words a charge or one of its refunds is found, with metadata of its own. */
export function wordsOf(
  { merchant_id, cardholder, email, last_four }: Charge,
  metadata: Metadata,
): string | null {
  return searchWords(merchant_id, cardholder, email, last_four, metadata)
}

/** How the cardholder of a charge or of a subscription is authenticated. */
export const ThreeDsView = named(
  'ThreeDs',
  Type.Object({
    mode: described(
      nullable(textOf('ThreeDsMode', three_ds_modes, 'The 3-D Secure mode.')),
      'The 3-D Secure mode; null if it was not given.',
    ),
    redirect_endpoint: described(
      nullable(Type.String()),
      "The cardholder's destination after a challenge; null if not given.",
    ),
    redirect_id: described(nullable(Id), 'The id of the redirection; null without an endpoint.'),
  }),
  'The 3-D Secure settings of a charge or subscription.',
)

const text = nullable(Type.String())
const number = nullable(Type.Number())
const whole = nullable(Type.Integer())

const fields = {
  id: described(Id, 'The id of the charge.'),
  merchant_id: common.merchant_id,
  store_id: common.store_id,
  transaction_token_id: common.transaction_token_id,
  transaction_token_type: described(TokenTypeText, 'The type of its token.'),
  subscription_id: described(
    nullable(Id),
    'The subscription that created it; null for a charge of its own.',
  ),
  merchant_transaction_id: described(text, 'Your own payment number; null if none was given.'),
  requested_amount: described(
    Type.Integer(),
    'The requested amount, in the smallest unit of the requested currency.',
  ),
  requested_currency: described(Type.String(), 'The currency of the request, as an ISO-4217 code.'),
  requested_amount_formatted: described(
    Type.Number(),
    'The requested amount in the major unit of its currency.',
  ),
  charged_amount: described(
    whole,
    'The charged amount, in the smallest unit of its currency; null before the charge.',
  ),
  charged_currency: described(
    text,
    'The charged currency, which differs after a conversion; null before the charge.',
  ),
  charged_amount_formatted: described(
    number,
    'The charged amount in the major unit of its currency; null before the charge.',
  ),
  fee_amount: described(
    whole,
    'The fee of the operator, in the smallest unit of its currency; null until the ' +
      'charge succeeds.',
  ),
  fee_currency: described(text, 'The currency of the fee; null without one.'),
  fee_amount_formatted: described(
    number,
    'The fee in the major unit of its currency; null without one.',
  ),
  only_direct_currency: described(
    Type.Boolean(),
    'Whether the charge fails instead of being converted to another currency.',
  ),
  capture_at: described(
    nullable(Instant),
    "The capture time of an authorized charge, or the customer's payment deadline; null " +
      'if not given.',
  ),
  descriptor: described(text, 'The text for the statement of the cardholder; null without one.'),
  descriptor_phone_number: described(
    text,
    'The phone number for the statement of the cardholder; null without one.',
  ),
  status: described(
    textOf(
      'ChargeStatus',
      statesOf('charge'),
      'The status of a charge. `awaiting` waits for the customer; `failed` was ' +
        'refused, `error` broke down.',
    ),
    'The state of the charge. `pending` and `awaiting` change without a request; ' +
      '`authorized` waits for a capture.',
  ),
  error: ChargeErrorView,
  metadata: common.metadata,
  mode: common.mode,
  type: described(
    textOf('ChargeType', ['normal', 'cvv_auth'], 'A payment, or the check of a security code.'),
    'A payment (`normal`), or the check of a security code that moves no money.',
  ),
  redirect: described(
    nullable(
      named(
        'Redirect',
        Type.Object({
          endpoint: described(Type.String(), "The customer's destination."),
          redirect_id: described(Id, 'The id of the redirection.'),
        }),
        "The customer's destination after payment.",
      ),
    ),
    "The customer's destination after payment; null if not requested.",
  ),
  three_ds: described(
    nullable(ThreeDsView),
    'The 3-D Secure authentication; null if it does not apply.',
  ),
  created_on: described(CreatedOn, 'The creation time, in milliseconds since 1970.'),
  updated_on: common.updated_on,
}
export const ChargeView = named(
  'Charge',
  Type.Object(fields),
  'A payment: an amount that is collected with a transaction token.',
)
/** A list also shows the names of store and merchant. */
export const ChargePage = withTotal(
  PageOf(
    extended(
      'ChargeItem',
      ChargeView,
      { merchant_name: common.merchant_name, store_name: common.store_name },
      'A charge in a list.',
    ),
  ),
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

/** The columns that the view below reads. */
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
  const known = { merchant_id, id: path.charge_id }
  return visible(caller, path, await findRow(service, 'charges', known, lock))
}

/** The fields of the view. */
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
