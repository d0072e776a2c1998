import type { Static } from 'typebox'
import type { AccountCapabilities } from '../../../core/payments/account-capabilities.ts'
import { payment_types } from '../../../core/payments/payment-types.ts'
import { minute_ms, second_ms } from '../../../core/time/clock.ts'
import { brandsOf } from '../../../methods/method-facts.ts'
import { methods } from '../../../methods/method-table.ts'
import type { Authorization } from '../../../providers/provider-operations.ts'
import { callAcquirer } from '../acquirer-client.ts'
import type { AcquirerAddress } from '../acquirer-settings.ts'
import { type ReadResponse, readResponse } from '../messages/read-response.ts'
import { acquirer_operations } from './acquirer-operations.ts'
import { CapabilitiesResponse } from './acquirer-responses.ts'

export type AcquirerCapabilities = Static<typeof CapabilitiesResponse>

/** The capabilities that an acquirer reports. */
export async function askCapabilities(
  address: AcquirerAddress,
  now_ms: number,
  signal: AbortSignal,
): Promise<ReadResponse<AcquirerCapabilities>> {
  const { method, path } = acquirer_operations.capabilities
  const call = { method, path, reference: null, writeBody: () => '' }
  const reply = await callAcquirer(address, call, now_ms, { signal })
  if (reply.kind !== 'answered') return { is_valid: false, problem: reply.reason }
  if (reply.status === 401) return { is_valid: false, problem: 'The acquirer refused the key.' }
  return readResponse(CapabilitiesResponse, reply, [address.key.secret])
}

const response_within_ms = 5 * second_ms
const keep_ms = 5 * minute_ms
const max_stored = 1000

interface Stored {
  readonly asked_ms: number
  readonly response: Promise<ReadResponse<AcquirerCapabilities>>
}

/** Capabilities of acquirers, no older than asked for; the least recently asked are dropped first. */
export function newCapabilityCache(now: () => number) {
  const stored = new Map<string, Stored>()

  return async (address: AcquirerAddress, max_age_ms = keep_ms) => {
    const name = `${address.origin}${address.prefix} ${address.key.id}`
    const known = stored.get(name)
    const now_ms = now()
    if (known && now_ms - known.asked_ms < max_age_ms) return known.response
    // Payments share the question, so it has a limit of its own.
    const response = askCapabilities(address, now_ms, AbortSignal.timeout(response_within_ms))
    stored.delete(name)
    stored.set(name, { asked_ms: now_ms, response })
    for (const oldest of stored.keys()) {
      if (stored.size <= max_stored) break
      stored.delete(oldest)
    }
    const read = await response
    if (read.is_valid) return read
    // Outdated capabilities are better than none; the next payment requests them again.
    if (stored.get(name)?.response === response) stored.delete(name)
    return known ? known.response : read
  }
}

/** Why an acquirer does not take a payment; null: it does. */
export function whyNotTaken(
  { instruments, brands, currencies, name }: AcquirerCapabilities,
  { instrument, currency }: Pick<Authorization, 'instrument' | 'currency'>,
): string | null {
  if (!instruments.includes(instrument.kind)) return `${name} takes no ${instrument.kind} payments.`
  if (!currencies.includes(currency)) return `${name} does not take ${currency}.`
  const brand = 'brand' in instrument ? instrument.brand : null
  if (brands !== null && brand !== null && !brands.includes(brand)) {
    return `${name} does not take ${brand}.`
  }
  return null
}

/** The capabilities of an acquirer in the words of payments, the same that `whyNotTaken` checks. */
export function takenBy(response: AcquirerCapabilities): AccountCapabilities {
  const taken = payment_types.flatMap((payment_type) => {
    const { sent_as: sent } = methods[payment_type]
    if (!sent || !response.instruments.includes(sent.instrument)) return []
    // The brands that such an instrument can have; null: the acquirer does not learn of one.
    const known = sent.with_brand ? brandsOf(payment_type) : null
    const { brands } = response
    const of_type =
      brands === null || known === null ? null : known.filter((brand) => brands.includes(brand))
    return of_type?.length === 0 ? [] : [[payment_type, of_type] as const]
  })
  return { payment_types: Object.fromEntries(taken), currencies: response.currencies }
}
