import type { Stripe } from 'stripe'
import Type, { type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { NoResponse } from '../stripe-client.ts'

/** The fields of a response that decide about money. Other fields may come and go. */
const Metadata = Type.Record(Type.String(), Type.String())
const Amount = Type.Integer({ minimum: 0 })

const PaymentIntentShape = Type.Object({
  id: Type.String({ pattern: '^pi_[A-Za-z0-9_]{1,240}$' }),
  object: Type.Literal('payment_intent'),
  amount: Amount,
  amount_capturable: Amount,
  amount_received: Amount,
  created: Type.Integer({ minimum: 0 }),
  currency: Type.String({ pattern: '^[a-z]{3}$' }),
  status: Type.String(),
  metadata: Metadata,
  payment_method_types: Type.Array(Type.String()),
})
const SetupIntentShape = Type.Object({
  id: Type.String({ pattern: '^seti_[A-Za-z0-9_]{1,240}$' }),
  object: Type.Literal('setup_intent'),
  status: Type.String(),
  metadata: Metadata,
})
const RefundShape = Type.Object({
  id: Type.String({ pattern: '^(re|pyr)_[A-Za-z0-9_]{1,240}$' }),
  object: Type.Literal('refund'),
  amount: Amount,
  currency: Type.String({ pattern: '^[a-z]{3}$' }),
  status: Type.String(),
})
const PaymentMethodShape = Type.Object({
  id: Type.String({ pattern: '^pm_[A-Za-z0-9_]{1,240}$' }),
  object: Type.Literal('payment_method'),
})

const Currency = Type.String({ pattern: '^[a-z]{3}$' })
const Id = (prefix: string) => Type.String({ pattern: `^${prefix}_[A-Za-z0-9_]{1,240}$` })
const BalanceTransactionShape = Type.Object({
  id: Id('txn'),
  object: Type.Literal('balance_transaction'),
  amount: Type.Integer(),
  fee: Type.Integer(),
  currency: Currency,
  created: Type.Integer({ minimum: 0 }),
  type: Type.String(),
  reporting_category: Type.String(),
})
const DisputeShape = Type.Object({
  id: Id('(dp|du|pdp)'),
  object: Type.Literal('dispute'),
  amount: Amount,
  currency: Currency,
  status: Type.String(),
  reason: Type.String(),
  created: Type.Integer({ minimum: 0 }),
  metadata: Metadata,
  payment_intent: Type.Union([Type.String(), Type.Null()]),
  balance_transactions: Type.Array(BalanceTransactionShape),
  evidence_details: Type.Object({ due_by: Type.Union([Type.Integer(), Type.Null()]) }),
})
const FileShape = Type.Object({ id: Id('file'), object: Type.Literal('file') })
const CustomerShape = Type.Object({
  id: Id('cus'),
  object: Type.Literal('customer'),
  metadata: Type.Optional(Metadata),
})
const CashTransactionShape = Type.Object({
  id: Id('ccsbtxn'),
  object: Type.Literal('customer_cash_balance_transaction'),
  type: Type.String(),
  net_amount: Type.Integer(),
  currency: Currency,
  created: Type.Integer({ minimum: 0 }),
})
const BalancePageShape = Type.Object({
  object: Type.Literal('list'),
  has_more: Type.Boolean(),
  data: Type.Array(BalanceTransactionShape),
})

function checked<T>(schema: TSchema, response: T, name: string): T {
  if (!Value.Check(schema, response)) throw new NoResponse(`The answer is no ${name}.`, response)
  return response
}

export const checkIntent = (response: Stripe.PaymentIntent) =>
  checked(PaymentIntentShape, response, 'PaymentIntent')
export const checkSetup = (response: Stripe.SetupIntent) =>
  checked(SetupIntentShape, response, 'SetupIntent')
export const checkRefund = (response: Stripe.Refund) => checked(RefundShape, response, 'Refund')
export const checkMethod = (response: Stripe.PaymentMethod) =>
  checked(PaymentMethodShape, response, 'PaymentMethod')
export const checkDispute = (response: Stripe.Dispute) => checked(DisputeShape, response, 'Dispute')
export const checkFile = (response: Stripe.File) => checked(FileShape, response, 'File')
export const checkBalancePage = (response: Stripe.ApiList<Stripe.BalanceTransaction>) =>
  checked(BalancePageShape, response, 'list of balance transactions')
export const checkCustomer = (response: Stripe.Customer | Stripe.DeletedCustomer) =>
  checked(CustomerShape, response, 'Customer') as Stripe.Customer
export const checkCashTransaction = (response: Stripe.CustomerCashBalanceTransaction) =>
  checked(CashTransactionShape, response, 'transaction of a cash balance')
