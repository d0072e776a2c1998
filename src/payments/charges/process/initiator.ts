import type { Provider } from '../../../providers/provider.ts'
import type { Authorization, Instrument } from '../../../providers/provider-operations.ts'
import type { Service } from '../../../service.ts'
import type { Charge } from '../charge.ts'

type Initiator = Pick<Authorization, 'initiated_by' | 'first_network_transaction_id'>

const by_customer: Initiator = { initiated_by: 'customer', first_network_transaction_id: null }

/**
 * Whether the customer is there. With a stored card they are there in the first payment, and whenever the
 * security code was entered again; in any other the merchant initiates the payment and names the first one.
 */
export async function initiatorOf(
  service: Service,
  { name, capabilities }: Provider,
  charge: Charge,
  instrument: Instrument,
): Promise<Initiator> {
  if (charge.transaction_token_type === 'one_time' || instrument.kind !== 'card') return by_customer
  if (instrument.cvv !== null || !capabilities.network_transaction_ids) return by_customer
  const first = await service.db
    .selectFrom('charges')
    .select(['network_transaction_id', 'provider'])
    .where('merchant_id', '=', charge.merchant_id)
    .where('transaction_token_id', '=', charge.transaction_token_id)
    .where('id', '<', charge.id)
    .where('status', 'in', ['successful', 'authorized'])
    .orderBy(
      (row) => row.and([row('provider', '=', name), row('network_transaction_id', 'is not', null)]),
      'desc',
    )
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!first) return by_customer
  // The names of another provider say nothing to this one.
  const first_network_transaction_id = first.provider === name ? first.network_transaction_id : null
  return { initiated_by: 'merchant', first_network_transaction_id }
}
