import { sql } from 'kysely'
import type { Config } from '../../config.ts'
import type { Run } from '../command-table.ts'
import { showList } from '../line/show.ts'
import { withService } from '../line/with-service.ts'

interface TableSize {
  readonly table: string
  /** Estimates of the database's own statistics: nothing is counted. */
  readonly rows: number
  readonly bytes: number
  readonly index_bytes: number
  readonly rows_a_day: number
  readonly bytes_a_day: number
  /** How long rows are kept, and the size that the table will have then; null: for ever. */
  readonly kept_days: number | null
  readonly kept_bytes: number | null
}

type Measured = Omit<TableSize, 'kept_days' | 'kept_bytes'> & {
  readonly inserted_bytes_a_day: number
}

/** The setting that decides how long rows of a table are kept. */
const stored_by: Readonly<Record<string, (config: Config) => number>> = {
  events: ({ events_days }) => events_days,
  event_feed: ({ events_days }) => events_days,
  webhook_deliveries: ({ deliveries_days }) => deliveries_days,
  simulator_operations: ({ simulator_days }) => simulator_days,
  provider_operations: ({ provider_operations_days }) => provider_operations_days,
  request_log: ({ request_log_days }) => request_log_days,
}

/**
 * The size of the tables and their growth: rows inserted and not deleted since statistics began. The months
 * of a partitioned table are one table.
 */
const sizes_sql = sql<Measured>`
  with since as (
    select greatest(extract(epoch from now() - coalesce(stats_reset,
      (select min(applied_on) from schema_migrations))) / 86400, 1.0 / 24) as days
    from pg_stat_database where datname = current_database()),
  sizes as (
    select coalesce(p.relname, s.relname) as table, sum(greatest(c.reltuples, s.n_live_tup, 0)) as rows,
      sum(pg_total_relation_size(c.oid)) as bytes, sum(pg_indexes_size(c.oid)) as index_bytes,
      greatest(sum(s.n_tup_ins - s.n_tup_del), 0) / since.days as rows_a_day,
      sum(s.n_tup_ins) / since.days as inserted_a_day
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid and c.relkind = 'r'
    left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
    cross join since group by 1, since.days)
  select "table", rows::float8, bytes::float8, index_bytes::float8, round(rows_a_day)::float8 as rows_a_day,
    case when rows > 0 then round(bytes / rows * rows_a_day) else 0 end::float8 as bytes_a_day,
    case when rows > 0 then round(bytes / rows * inserted_a_day) else 0 end::float8
      as inserted_bytes_a_day
  from sizes where rows > 0 or rows_a_day > 0 order by bytes desc, "table"`

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const

function bytesText(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3))
  const figure = bytes / 1000 ** power
  return `${figure < 10 ? Math.round(figure * 10) / 10 : Math.round(figure)} ${units[power]}`
}

function withRetention(config: Config, { inserted_bytes_a_day, ...size }: Measured): TableSize {
  const kept_days = stored_by[size.table]?.(config) ?? null
  return {
    ...size,
    kept_days,
    kept_bytes: kept_days === null ? null : inserted_bytes_a_day * kept_days,
  }
}

export const showSizes: Run<'sizes'> = async (context, _, options) => {
  const sizes = await withService(context.config, async ({ service }) => {
    const { rows } = await sizes_sql.execute(service.db)
    return rows.map((size) => withRetention(context.config, size))
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
      { title: 'DAYS KEPT', text: ({ kept_days }) => `${kept_days ?? ''}`, align: 'right' },
      {
        title: 'SIZE THEN',
        text: ({ kept_bytes }) => (kept_bytes === null ? '' : bytesText(kept_bytes)),
        align: 'right',
      },
    ],
    options,
  )
  return 0
}
