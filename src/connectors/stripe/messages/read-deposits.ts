import type { Stripe } from 'stripe'
import { derivedId } from '../../../core/ids.ts'
import type { Instructions } from '../../../core/payments/instructions.ts'
import { isNameIn } from '../../../core/table-names.ts'
import type { Outcome } from '../../../providers/provider.ts'
import type { Instrument, ProviderData } from '../../../providers/provider-operations.ts'
import { ask_again_ms, readIntent } from './read-intents.ts'

/** Chains of ours, and what Stripe calls them. */
export const konbini_stores = {
  family_mart: 'familymart',
  lawson: 'lawson',
  mini_stop: 'ministop',
  seico_mart: 'seicomart',
} as const satisfies Record<
  string,
  keyof Stripe.PaymentIntent.NextAction.KonbiniDisplayDetails.Stores
>

const deposit_types: readonly string[] = ['konbini', 'customer_balance']

/** Whether a payment is made by deposits: they are asked for on their own. */
export function isByDeposit({ payment_method_types }: Stripe.PaymentIntent): boolean {
  return payment_method_types.some((type) => deposit_types.includes(type))
}

/** The references that later operations of such a payment need. */
export interface DepositData {
  readonly instructions: Instructions
  /** The customer whose virtual account receives the bank transfer. */
  readonly customer: string | null
}

export function depositDataOf(data: ProviderData | null): DepositData | null {
  return data && 'instructions' in data ? (data as unknown as DepositData) : null
}

const digits = (text: string | null | undefined) => (text ?? '').replaceAll(/[\s-]/g, '')

function readVoucher({ next_action }: Stripe.PaymentIntent, chain: string): Instructions | null {
  const store = isNameIn(konbini_stores, chain) && konbini_stores[chain]
  const found = store && next_action?.konbini_display_details?.stores[store]
  if (!found) return null
  const confirmation_code = digits(found.confirmation_number)
  return {
    kind: 'konbini',
    payment_code: digits(found.payment_code),
    ...(confirmation_code === '' ? {} : { confirmation_code }),
  }
}

function readAccount({ id, next_action }: Stripe.PaymentIntent): Instructions | null {
  const shown = next_action?.display_bank_transfer_instructions
  const zengin = shown?.financial_addresses?.find((one) => one.zengin)?.zengin
  if (!zengin) return null
  const { bank_name, branch_name, account_holder_name } = zengin
  return {
    kind: 'bank_transfer',
    account_id: derivedId(id, 'account'),
    bank_code: digits(zengin.bank_code),
    bank_name: bank_name ?? '',
    branch_code: digits(zengin.branch_code),
    branch_name: branch_name ?? '',
    account_number: digits(zengin.account_number),
    account_holder_name: account_holder_name ?? '',
  }
}

/** A new payment by deposit: the instructions for the customer. */
export function readNewDeposit(intent: Stripe.PaymentIntent, instrument: Instrument): Outcome {
  const { id: provider_reference, customer } = intent
  const instructions =
    instrument.kind === 'konbini'
      ? readVoucher(intent, instrument.convenience_store)
      : readAccount(intent)
  if (intent.status !== 'requires_action' || !instructions) {
    const read = readIntent(intent)
    // Its deposits show how much was paid.
    return read.outcome === 'refused'
      ? read
      : { outcome: 'unknown', ask_again_ms, provider_reference }
  }
  const of = typeof customer === 'object' ? customer?.id : customer
  const data = { instructions, customer: of ?? null }
  return { outcome: 'waiting', provider_reference, instructions, data }
}

/** The same later: also one that is paid waits, until its deposit has been taken. */
export function readWaitingDeposit(intent: Stripe.PaymentIntent, data: DepositData): Outcome {
  const { id: provider_reference, status } = intent
  if (status === 'canceled' || status === 'requires_payment_method') return readIntent(intent)
  return { outcome: 'waiting', provider_reference, instructions: data.instructions }
}
