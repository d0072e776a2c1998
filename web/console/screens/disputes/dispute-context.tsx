import { Link } from 'wouter'
import { useRead } from '../../api/api-hooks.ts'
import type {
  Charge,
  ChargeConnections,
  CustomerDetails,
  Dispute,
  HistoryItem,
  TransactionToken,
} from '../../api/call-api.ts'
import { moneyColumn, statusColumn } from '../../parts/lists/table-columns.tsx'
import { TableSection } from '../../parts/lists/table-section.tsx'
import { KeyValues } from '../../parts/values/key-values.tsx'
import { Money } from '../../parts/values/money.tsx'
import { TimeText } from '../../parts/values/time-text.tsx'
import { useBrandName } from '../../words/brand-words.ts'
import { useWords } from '../../words/language.tsx'
import { disputes_words } from './disputes-words.ts'

/** The facts about the disputed payment. */
export interface DisputeContext {
  readonly charge: Charge
  readonly token: TransactionToken | undefined
  readonly connections: ChargeConnections | undefined
  readonly customer: CustomerDetails | undefined
  /** Other payments of the customer, newest first. */
  readonly others: readonly HistoryItem[]
}

const few = 6

/** Null until everything was read, or could not be. */
export function useDisputeContext({
  charge_id,
  store_id,
}: Pick<Dispute, 'charge_id' | 'store_id'>) {
  const options = { store_id }
  const charge = useRead((api) => api.charges.get(charge_id, {}, options))
  const connections = useRead((api) => api.charges.getConnections(charge_id, options))
  const token_id = charge.data?.transaction_token_id
  const token = useRead((api) => api.tokens.get(token_id ?? '', {}, options), {
    enabled: token_id !== undefined,
  })
  const customer_key = connections.data?.customer?.id ?? ''
  const has_customer = customer_key !== ''
  const customer = useRead((api) => api.customers.get(customer_key), { enabled: has_customer })
  const others = useRead(
    (api) => api.history.list({ customer_key, type: 'charge', limit: few + 4 }),
    { enabled: has_customer },
  )
  const is_loading = [charge, connections, token, customer, others].some((one) => one.isLoading)
  const context: DisputeContext | null = charge.data
    ? {
        charge: charge.data,
        token: token.data,
        connections: connections.data,
        customer: customer.data,
        others: (others.data?.items ?? [])
          .filter((item) => item.charge_id !== charge_id)
          .slice(0, few),
      }
    : null
  return { context, is_loading }
}

/** Beside the response: who paid what, when and with what, and what they paid before. */
export function DisputedPayment({ context }: { context: DisputeContext }) {
  const words = useWords(disputes_words)
  const brandName = useBrandName()
  const { charge, token, connections, customer, others } = context
  const { store_id, id, requested_amount, requested_currency } = charge
  const card = token && 'card' in token.data ? token.data.card : null
  const name = card?.cardholder ?? connections?.customer?.name
  return (
    <aside className="payment-aside" aria-label={words.charge}>
      <section>
        <h2>{words.charge}</h2>
        <KeyValues
          rows={[
            [
              words.amount,
              <Link key="charge" href={`/payments/${store_id}/${id}`}>
                <Money amount={requested_amount} currency={requested_currency} />
              </Link>,
            ],
            [words.date, <TimeText key="on" at={charge.created_on} exact />],
            [
              words.customer,
              connections?.customer ? (
                <Link key="customer" href={`/customers/${connections.customer.id}`}>
                  {name ?? connections.customer.email}
                </Link>
              ) : (
                name
              ),
            ],
            [words.email, token?.email],
            [words.ip_address, token?.ip_address],
            [words.card, card && `${brandName(card.brand)} •••• ${card.last_four}`],
          ]}
        />
        <Link href={`/payments/${store_id}/${id}`}>{words.show_charge}</Link>
      </section>
      <TableSection
        title={words.others}
        none={words.no_others}
        columns={[
          {
            ...moneyColumn<HistoryItem>(words.amount),
            phone: 'title',
            show: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
          },
          statusColumn(words.status),
          {
            name: 'date',
            label: words.date,
            phone: 'note',
            show: ({ created_on }) => <TimeText at={created_on} />,
          },
        ]}
        rows={others}
        idOf={({ resource_id }) => resource_id}
        hrefOf={(item) => `/payments/${item.store_id}/${item.charge_id}`}
      >
        {customer && others.length > 0 && (
          <Link href={`/payments?customer_key=${customer.id}`}>{words.all_others}</Link>
        )}
      </TableSection>
    </aside>
  )
}
