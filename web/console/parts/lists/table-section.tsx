import type { ReactNode } from 'react'
import { DataTable, type TableProps } from './data-table.tsx'

interface Props<Row> extends Omit<TableProps<Row>, 'label' | 'empty'> {
  title: string
  /** One sentence when there is nothing. */
  none: string
  /** Beside the title. */
  children?: ReactNode
}

/** A small table with its title, as a part of a screen. */
export function TableSection<Row>({ title, none, children, ...table }: Props<Row>) {
  return (
    <section className="section">
      <div className="section-head">
        <h2>{title}</h2>
        {children}
      </div>
      <DataTable {...table} label={title} empty={<p className="none-yet">{none}</p>} />
    </section>
  )
}
