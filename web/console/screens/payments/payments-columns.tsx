import type { HistoryItem } from '../../api/call-api.ts'
import type { Column } from '../../parts/lists/data-table.tsx'
import { useIsPhone } from '../../parts/screen/use-screen-width.ts'
import { Icon } from '../../parts/values/icon.tsx'
import { IdText } from '../../parts/values/id-text.tsx'
import { Money } from '../../parts/values/money.tsx'
import { StatusBadge } from '../../parts/values/status-badge.tsx'
import { TimeText } from '../../parts/values/time-text.tsx'
import { useBrandName } from '../../words/brand-words.ts'
import { useFailureText } from '../../words/charge-error-words.ts'
import { useWords } from '../../words/language.tsx'
import { method_words } from '../../words/status-words.ts'
import { payments_words } from './payments-words.ts'

/** A successful charge of which money went back has a status of its own for people. */
function shownStatus(item: HistoryItem): string {
  const refunded = item.refunded_amount ?? 0
  if (item.status !== 'successful' || refunded === 0) return item.status
  return refunded >= item.amount ? 'refunded' : 'refunded_in_part'
}

function Amount({ item }: { item: HistoryItem }) {
  const is_refund = item.type === 'refund'
  return (
    <span className="payment-amount">
      <Money amount={is_refund ? -item.amount : item.amount} currency={item.currency} />
    </span>
  )
}

function Customer({ item }: { item: HistoryItem }) {
  const words = useWords(payments_words)
  const { cardholder_name, cardholder_email_address } = item.user_data
  return (
    cardholder_name || cardholder_email_address || <span className="none">{words.no_name}</span>
  )
}

function Method({ item }: { item: HistoryItem }) {
  const brandName = useBrandName()
  const words = useWords(method_words)
  const { brand } = item.user_data
  if (item.last_four) {
    return (
      <span className="payment-method">
        <span>{brandName(brand ?? item.payment_type)}</span>
        <span className="digits">•••• {item.last_four}</span>
      </span>
    )
  }
  return (
    <>
      {words[item.payment_type]}
      {brand && <span className="payment-brand">{brandName(brand)}</span>}
    </>
  )
}

function Kind({ item }: { item: HistoryItem }) {
  const words = useWords(payments_words)
  return (
    <span className="payment-kind">
      {item.type === 'refund' && <Icon name="refund" size={14} />}
      {words.types[item.type]}
    </span>
  )
}

/** On a phone the digits of the card have no column of their own. */
function DateText({ item: { created_on, last_four } }: { item: HistoryItem }) {
  const is_phone = useIsPhone()
  return (
    <>
      {is_phone && last_four && <span className="payment-digits">•••• {last_four}</span>}
      <TimeText at={created_on} />
    </>
  )
}

function Status({ item }: { item: HistoryItem }) {
  const failureText = useFailureText()
  const reason = item.error && failureText(item.error)
  return (
    <>
      <StatusBadge status={shownStatus(item)} />
      {reason && (
        <span className="payment-reason" title={reason}>
          {reason}
        </span>
      )}
    </>
  )
}

/** The code of the currency is beside the amount where several occur. */
export function usePaymentColumns(): readonly Column<HistoryItem>[] {
  const words = useWords(payments_words)
  const failureText = useFailureText()
  return [
    {
      name: 'amount',
      label: words.amount,
      align: 'right',
      phone: 'value',
      csv: ['amount', 'currency', 'amount_formatted'],
      show: (item) => <Amount item={item} />,
    },
    {
      name: 'status',
      label: words.status,
      phone: 'side',
      csv: ['status'],
      show: (item) => <Status item={item} />,
    },
    { name: 'type', label: words.type, csv: ['type'], show: (item) => <Kind item={item} /> },
    {
      name: 'customer',
      label: words.customer,
      phone: 'title',
      csv: ['customer_name'],
      show: (item) => <Customer item={item} />,
    },
    {
      name: 'method',
      label: words.method,
      csv: ['payment_type', 'brand', 'last_four'],
      show: (item) => <Method item={item} />,
    },
    {
      name: 'created_on',
      label: words.date,
      phone: 'note',
      csv: ['created_on'],
      show: (item) => <DateText item={item} />,
    },
    {
      name: 'id',
      label: words.id,
      csv: ['resource_id', 'charge_id'],
      show: ({ resource_id }) => <IdText id={resource_id} />,
    },
    {
      name: 'error',
      label: words.error_code,
      extra: true,
      csv: ['error_code', 'error_message'],
      show: ({ error }) => error && `${error.code} ${failureText(error)}`,
    },
    {
      name: 'email',
      label: words.email,
      extra: true,
      csv: ['email'],
      show: ({ user_data }) => user_data.cardholder_email_address,
    },
    {
      name: 'store',
      label: words.store,
      extra: true,
      csv: ['store_id', 'store_name'],
      show: ({ store_name }) => store_name,
    },
    {
      name: 'refunded',
      label: words.refunded,
      extra: true,
      align: 'right',
      csv: ['refunded', 'refunded_currency'],
      show: ({ refunded_amount, refunded_currency }) =>
        refunded_amount && refunded_currency ? (
          <Money amount={refunded_amount} currency={refunded_currency} />
        ) : null,
    },
    {
      name: 'provider',
      label: words.provider,
      extra: true,
      csv: ['provider'],
      show: ({ user_data }) => user_data.service_provider,
    },
    {
      name: 'metadata',
      label: words.metadata,
      extra: true,
      csv: ['metadata'],
      show: ({ metadata }) =>
        Object.entries(metadata)
          .map(([key, value]) => `${key}: ${value}`)
          .join(', '),
    },
  ]
}
