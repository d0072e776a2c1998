import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../tables/db.ts'

export type BrokenRow = Record<string, unknown>

/** An invariant of the data; `doctor` checks all of them. */
export interface DataRule {
  readonly check: string
  /** What to do about a row that breaks the rule. */
  readonly advice: string
  /** Rows that break the rule. */
  rule(db: Db): Promise<BrokenRow[]>
  /** Describes a row in a sentence: what is wrong, how often, and where. Without it the row is printed. */
  describe?(row: BrokenRow): string
}

/** What is wrong with a row of a rule, and what to do about it. */
export function faultText({ advice, describe }: DataRule, row: BrokenRow): string {
  return `${describe ? describe(row) : JSON.stringify(row)} ${advice}`
}

export const restore_advice =
  'breaks this rule. Keep the database as it is and restore a backup beside it.'

/** Scans whole tables, which the plans of all other statements must never do. */
export async function findBroken<Row = BrokenRow>(db: Db, query: RawBuilder<Row>): Promise<Row[]> {
  const look = async (tx: Db) => {
    await sql`select set_config(name, 'on', true)
      from unnest(array['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']) as name`.execute(
      tx,
    )
    return (await query.execute(tx)).rows
  }
  return db.isTransaction ? look(db) : db.transaction().execute(look)
}
