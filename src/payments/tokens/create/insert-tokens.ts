import { type EventRow, eventList, eventsFrom, newEventArrays } from '../../../events/emit.ts'
import type { Service, Transacting } from '../../../service.ts'
import { newBatch, perPool, write_options } from '../../../store/sql/batches/batch.ts'
import {
  type ColumnArrays,
  columnTypes,
  newColumnArrays,
} from '../../../store/sql/batches/column-arrays.ts'
import { writtenDespite } from '../../../store/sql/connections/after-loss.ts'
import { isLost } from '../../../store/sql/statements/database-errors.ts'
import { run } from '../../../store/sql/statements/statement.ts'
import type { Db } from '../../../store/tables/db.ts'
import type { Token } from '../token.ts'
import { keepNewToken } from './new-tokens.ts'

/** A new token, and the event about it. */
interface TokenInsert {
  readonly token: Token
  /** Null: the caller's transaction has more to do before it emits the event. */
  readonly event: EventRow | null
}

interface Statement {
  readonly text: string
  readonly tokens: ColumnArrays
  readonly events: ColumnArrays
}

let known_statement: Statement | null = null

/**
 * The one statement that writes tokens, with their first events. The first parameter is how many there
 * are; then come the columns of the tokens, then the events.
 */
async function statementFor(db: Db, token: Token): Promise<Statement> {
  const columns = Object.keys(token)
  const tokens = newColumnArrays(await columnTypes(db, 'transaction_tokens', columns), 1)
  const events = newEventArrays(1 + columns.length)
  const text = `
    with created as (
      insert into transaction_tokens (${columns.join(', ')})
      select ${columns.map((name) => tokens.at(name, 'n')).join(', ')}
      from generate_series(1, $1::integer) as n
    ), given as (${eventList(events)}), ${eventsFrom('given')}
    select pg_current_xact_id()::xid::text as row_version`
  return { text, tokens, events }
}

/** Writes all tokens or none; says which version their rows have, null when that is not known. */
async function insertTokens(db: Db, rows: readonly TokenInsert[]): Promise<(string | null)[]> {
  const items = rows.map(({ token }) => token)
  known_statement ??= await statementFor(db, items[0] as Token)
  const { text, tokens, events } = known_statement
  const values = [
    rows.length,
    ...tokens.values(items),
    ...events.values(rows.flatMap(({ event }) => event ?? [])),
  ]
  try {
    const [written] = await run<{ row_version: string }>(db, text, values)
    return rows.map(() => written?.row_version ?? null)
  } catch (error) {
    // In a transaction nothing is written without it.
    if (!isLost(error) || db.isTransaction) throw error
    await writtenDespite(db, 'transaction_tokens', items, error)
    return rows.map(() => null)
  }
}

const insertBatched = perPool((db) =>
  newBatch<TokenInsert, string | null>((rows) => insertTokens(db, rows), {
    ...write_options,
    ownerOf: ({ token }) => token.merchant_id,
  }),
)

/** Writes a token together with others of the same moment. */
export async function insertToken(service: Service, row: TokenInsert): Promise<void> {
  const row_version = await insertBatched(service.db)(row)
  const { token } = row
  if (row_version !== null && token.type === 'one_time') keepNewToken({ token, row_version })
  service.signals.broadcast('work', 'events')
}

/** Writes a token in the caller's transaction, which emits the event. */
export async function insertTokenAlone(tx: Transacting, token: Token): Promise<void> {
  await insertTokens(tx.db, [{ token, event: null }])
}
