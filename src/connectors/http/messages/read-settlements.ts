import { type SettlementLine, settlement_kinds } from '../../../core/payments/settlements.ts'
import type { SettlementsQuestion } from '../../../providers/provider-operations.ts'
import type { newCapabilityCache } from '../api/acquirer-capabilities.ts'
import { answered, type newAcquirerCalls, requireAddress } from '../ask-acquirer.ts'

type WireLine = Omit<SettlementLine, 'booked_on'> & { readonly booked_on: string }

interface Page {
  readonly lines: readonly WireLine[]
  readonly next: string | null
}

/**
 * An acquirer's settlements since a time, page by page. One that has no settlements reports that in words.
 */
export async function* readSettlements(
  ask: ReturnType<typeof newAcquirerCalls>['ask'],
  capabilitiesOf: ReturnType<typeof newCapabilityCache>,
  { since, credentials }: SettlementsQuestion,
): AsyncGenerator<SettlementLine> {
  const can = await capabilitiesOf(requireAddress(credentials))
  if (!can.is_valid) throw new Error(can.problem)
  if (can.response.settlements !== true) {
    throw new Error(`${can.response.name} delivers no settlements: import its files.`)
  }
  let after: string | null = null
  do {
    const body = JSON.stringify({ since: since.toISOString(), after })
    const page: Page = answered(
      await ask<Page>('settlements', { credentials }, () => body, undefined),
    )
    for (const line of page.lines) yield readLine(line)
    if (page.next !== null && page.next === after) {
      throw new Error('The acquirer repeats a page of its settlements.')
    }
    after = page.next
  } while (after !== null)
}

function readLine(line: WireLine): SettlementLine {
  const { line_id, kind, reference, amount, fee_amount, currency, booked_on } = line
  if (Math.sign(amount) !== settlement_kinds[kind]) {
    throw new Error(`The amount of the settlement line ${line_id} has the wrong sign for ${kind}.`)
  }
  const money = { amount, fee_amount, currency }
  return { line_id, kind, reference, ...money, booked_on: new Date(booked_on) }
}
