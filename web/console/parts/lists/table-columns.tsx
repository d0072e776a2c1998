import type { ReactNode } from 'react'
import { IdText } from '../values/id-text.tsx'
import { Money } from '../values/money.tsx'
import { StatusBadge } from '../values/status-badge.tsx'
import { TimeText } from '../values/time-text.tsx'
import type { Column } from './data-table.tsx'

// Columns that many tables have. A table with another place for one on the phone says so:
// `{ ...moneyColumn(words.amount), phone: 'title' }`.

type OfMoney = { readonly amount: number; readonly currency: string }

export function moneyColumn<Row extends OfMoney>(label: string): Column<Row> {
  return {
    name: 'amount',
    label,
    align: 'right',
    phone: 'value',
    show: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  }
}

export function statusColumn<Row extends { readonly status: string }>(label: string): Column<Row> {
  return {
    name: 'status',
    label,
    phone: 'side',
    show: ({ status }) => <StatusBadge status={status} />,
  }
}

type OfTime = { readonly created_on: string | number }

/** `exact`: where instants are compared. */
export function dateColumn<Row extends OfTime>(label: string, exact = false): Column<Row> {
  return {
    name: 'date',
    label,
    phone: 'note',
    show: ({ created_on }) => <TimeText at={created_on} exact={exact} />,
  }
}

export function idColumn<Row>(label: string, idOf: (row: Row) => string | null): Column<Row> {
  const show = (row: Row) => {
    const id = idOf(row)
    return id && <IdText id={id} />
  }
  return { name: 'id', label, show }
}

/** The first column of rows that open in a dialog. */
export function openColumn<Row>(
  label: string,
  textOf: (row: Row) => ReactNode,
  open: (row: Row) => void,
): Column<Row> {
  return {
    name: 'open',
    label,
    phone: 'title',
    show: (row) => (
      <button type="button" className="row-button" onClick={() => open(row)}>
        {textOf(row)}
      </button>
    ),
  }
}
