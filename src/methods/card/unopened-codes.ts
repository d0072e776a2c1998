import type { Service } from '../../service.ts'
import type { Token } from '../../store/tables/rows.ts'

/**
 * Payments whose security code could not be opened in this process, since its start, by result. `expired`:
 * its five minutes were over, and it is left out as if it had been purged. `retried`: its key is on another
 * machine, which may claim the payment. `failed`: no machine with the key has claimed it in time.
 */
const counts = { expired: 0, retried: 0, failed: 0 }
type UnopenedResult = keyof typeof counts

const texts = {
  expired: 'a security code had expired before it was used: it is left out',
  retried: 'a security code cannot be opened here: another machine may have its key',
  failed: 'a security code could not be opened: the payment fails',
} as const satisfies Record<UnopenedResult, string>

export function noteUnopened(
  service: Service,
  { merchant_id, id: transaction_token_id }: Pick<Token, 'merchant_id' | 'id'>,
  result: UnopenedResult,
): void {
  counts[result] += 1
  service.log.warn({ merchant_id, transaction_token_id, result }, texts[result])
}

export function unopenedCounts(): Readonly<Record<UnopenedResult, number>> {
  return counts
}
