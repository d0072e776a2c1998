import { sql } from 'kysely'
import type { Run } from './command-table.ts'
import { showList } from './show.ts'
import { withService } from './with-service.ts'

interface TableSize {
  readonly table: string
  /** Estimates of the database's own statistics: nothing is counted. */
  readonly rows: number
  readonly bytes: number
  readonly index_bytes: number
  readonly rows_a_day: number
  readonly bytes_a_day: number
}

/** What the tables contain, and how they grow: what was inserted and not deleted since statistics began. */
const sizes_sql = sql<TableSize>`
  with since as (
    select greatest(extract(epoch from now() - coalesce(stats_reset,
      (select min(applied_on) from schema_migrations))) / 86400, 1.0 / 24) as days
    from pg_stat_database where datname = current_database()),
  sizes as (
    select s.relname as table, greatest(c.reltuples, s.n_live_tup, 0) as rows,
      pg_total_relation_size(c.oid) as bytes, pg_indexes_size(c.oid) as index_bytes,
      greatest(s.n_tup_ins - s.n_tup_del, 0) / since.days as rows_a_day
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid cross join since)
  select "table", rows::float8, bytes::float8, index_bytes::float8, round(rows_a_day)::float8 as rows_a_day,
    case when rows > 0 then round(bytes / rows * rows_a_day) else 0 end::float8 as bytes_a_day
  from sizes where rows > 0 or rows_a_day > 0 order by bytes desc, "table"`

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const

function bytesText(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3))
  const figure = bytes / 1000 ** power
  return `${figure < 10 ? Math.round(figure * 10) / 10 : Math.round(figure)} ${units[power]}`
}

export const showSizes: Run<'sizes'> = async (context, _, options) => {
  const sizes = await withService(context.config, async ({ service }) => {
    const { rows } = await sizes_sql.execute(service.db)
    return rows
  })
  const count = (figure: number) => Math.round(figure).toLocaleString('en')
  showList(
    context.terminal,
    sizes,
    [
      { title: 'TABLE', text: ({ table }) => table },
      { title: 'ROWS', text: ({ rows }) => count(rows), align: 'right' },
      { title: 'SIZE', text: ({ bytes }) => bytesText(bytes), align: 'right' },
      { title: 'OF IT INDEXES', text: (one) => bytesText(one.index_bytes), align: 'right' },
      { title: 'ROWS A DAY', text: (one) => count(one.rows_a_day), align: 'right' },
      { title: 'GROWTH A DAY', text: (one) => bytesText(one.bytes_a_day), align: 'right' },
    ],
    options,
  )
  return 0
}
