import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useWords } from '../../words/language.tsx'
import { part_words } from '../../words/part-words.ts'
import { ErrorState, Skeleton } from '../screen/states.tsx'
import { useIsPhone } from '../screen/use-screen-width.ts'
import { areMixed, MixedCurrencies } from '../values/money.tsx'
import { ScrollBox } from './scroll-box.tsx'
import { useTableKeys } from './table-keys.ts'
import './data-table.css'

export interface Column<Row> {
  readonly name: string
  /** Empty over buttons. */
  readonly label: string
  readonly show: (row: Row) => ReactNode
  /** Numbers and money are on the right. */
  readonly align?: 'right'
  /** Its place in the two lines on a phone; columns without one are left out there. */
  readonly phone?: 'title' | 'value' | 'note' | 'side'
  /** Not shown until it is chosen. */
  readonly extra?: true
  /** Its columns in the CSV of the list. */
  readonly csv?: readonly string[]
}

/** The columns of the CSV for those that are shown. */
export function csvColumns<Row>(columns: readonly Column<Row>[]): string {
  return columns.flatMap(({ csv }) => csv ?? []).join(',')
}

export interface Selection<Row> {
  readonly label: string
  readonly has: (row: Row) => boolean
  readonly toggle: (rows: readonly Row[], wanted: boolean) => void
  readonly nameOf: (row: Row) => string
}

export interface TableProps<Row> {
  /** The list's name, for screen readers. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[] | undefined
  idOf: (row: Row) => string
  /** The whole row leads there. */
  hrefOf?: (row: Row) => string
  error?: unknown
  retry?: () => void
  /** Rows can be selected, on wide screens. */
  selection?: Selection<Row>
  /** Rows of another query are still shown. */
  is_stale?: boolean
  empty: ReactNode
}

const skeleton_rows = 8

/** A table on wide screens, a two-line list on a phone; empty, loading and failed included. */
export function DataTable<Row>(props: TableProps<Row>) {
  const { rows, error, retry, empty } = props
  const is_phone = useIsPhone()
  useTableKeys()
  if (error && !rows) return <ErrorState error={error} {...(retry ? { retry } : {})} />
  if (rows?.length === 0) return empty
  return (
    <MixedCurrencies value={areMixed(rows ?? [])}>
      {is_phone ? <PhoneList {...props} /> : <WideTable {...props} />}
    </MixedCurrencies>
  )
}

function WideTable<Row>(props: TableProps<Row>) {
  const words = useWords(part_words)
  const { label, columns, rows, idOf, hrefOf, is_stale, selection } = props
  return (
    <ScrollBox label={label} className="table-scroll">
      <table className={`table ${is_stale ? 'stale' : ''}`} aria-label={label} aria-busy={!rows}>
        <thead>
          <tr>
            {selection && <SelectAll rows={rows ?? []} selection={selection} />}
            {columns.map(({ name, label: text, align }) => (
              <th key={name} scope="col" className={align}>
                {text || <span className="unseen">{words.action}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows
            ? rows.map((row) => (
                <tr key={idOf(row)} className={hrefOf ? 'linked' : ''}>
                  {selection && <SelectRow row={row} selection={selection} />}
                  {columns.map(({ name, align, show }, at) => (
                    <td key={name} className={align}>
                      {at === 0 && hrefOf ? (
                        <Link href={hrefOf(row)} className="row-link" data-row-link>
                          {show(row)}
                        </Link>
                      ) : (
                        show(row)
                      )}
                    </td>
                  ))}
                </tr>
              ))
            : skeletons(columns)}
        </tbody>
      </table>
    </ScrollBox>
  )
}

function SelectAll<Row>({ rows, selection }: { rows: readonly Row[]; selection: Selection<Row> }) {
  const { label, has, toggle } = selection
  const is_all = rows.length > 0 && rows.every(has)
  return (
    <th scope="col" className="row-select">
      <input
        type="checkbox"
        aria-label={label}
        checked={is_all}
        onChange={() => toggle(rows, !is_all)}
      />
    </th>
  )
}

function SelectRow<Row>({ row, selection }: { row: Row; selection: Selection<Row> }) {
  const { has, toggle, nameOf } = selection
  return (
    <td className="row-select">
      <input
        type="checkbox"
        aria-label={nameOf(row)}
        checked={has(row)}
        onChange={() => toggle([row], !has(row))}
      />
    </td>
  )
}

function skeletons<Row>(columns: readonly Column<Row>[]): ReactNode {
  return Array.from({ length: skeleton_rows }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all the same
    <tr key={row}>
      {columns.map(({ name, align }, at) => (
        <td key={name} className={align}>
          <Skeleton width={(['5rem', '4rem', '7rem'] as const)[(row + at) % 3] ?? '5rem'} />
        </td>
      ))}
    </tr>
  ))
}

function PhoneList<Row>(props: TableProps<Row>) {
  const { label, columns, rows, idOf, hrefOf, is_stale } = props
  const places = (['title', 'value', 'note', 'side'] as const).map(
    (place) => [place, columns.find(({ phone }) => phone === place)] as const,
  )
  const cells = (row: Row) =>
    places.map(([place, column]) => (
      <span key={place} className={`phone-${place}`}>
        {column?.show(row)}
      </span>
    ))
  if (!rows) return <PhoneSkeleton />
  return (
    <ul className={`phone-list ${is_stale ? 'stale' : ''}`} aria-label={label}>
      {rows.map((row) => (
        <li key={idOf(row)}>
          {hrefOf ? (
            <Link href={hrefOf(row)} className="phone-row" data-row-link>
              {cells(row)}
            </Link>
          ) : (
            <div className="phone-row">{cells(row)}</div>
          )}
        </li>
      ))}
    </ul>
  )
}

function PhoneSkeleton() {
  const words = useWords(part_words)
  return (
    <div className="phone-list" role="status" aria-label={words.loading}>
      {Array.from({ length: skeleton_rows }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all the same
        <div key={at} className="phone-row">
          <Skeleton width="60%" />
          <Skeleton width="4rem" />
          <Skeleton width="40%" />
          <Skeleton width="3rem" />
        </div>
      ))}
    </div>
  )
}
