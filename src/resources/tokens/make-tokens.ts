import { type EventRow, eventList, eventsFrom, newEventArrays } from '../../events/emit.ts'
import type { Service, Transacting } from '../../service.ts'
import { writtenDespite } from '../../store/after-loss.ts'
import { newBatch, perDb, write_options } from '../../store/batch.ts'
import { type ColumnArrays, columnTypes, newColumnArrays } from '../../store/column-arrays.ts'
import { type Db, isLost } from '../../store/open-store.ts'
import { run } from '../../store/statement.ts'
import { keepNewToken } from './new-tokens.ts'
import type { Token } from './token.ts'

interface Making {
  readonly token: Token
  /** Tells that it was made. */
  readonly event: EventRow
}

interface Statements {
  readonly insert: string
  /** The same, with the first event of each. */
  readonly make: string
  readonly tokens: ColumnArrays
  readonly events: ColumnArrays
}

let known_statements: Statements | null = null

/** The first parameter is how many there are; then come the columns of the tokens, then the events. */
async function statementsFor(db: Db, token: Token): Promise<Statements> {
  const columns = Object.keys(token)
  const tokens = newColumnArrays(await columnTypes(db, 'transaction_tokens', columns), 1)
  const events = newEventArrays(1 + columns.length)
  const insert = `insert into transaction_tokens (${columns.join(', ')})
    select ${columns.map((name) => tokens.at(name, 'n')).join(', ')}
    from generate_series(1, $1::integer) as n`
  const make = `with made as (${insert}), given as (${eventList(events)}), ${eventsFrom('given')}
    select pg_current_xact_id()::xid::text as made_by`
  return { insert, make, tokens, events }
}

/** Writes a token in the caller's transaction, which tells of it. */
export async function insertToken(tx: Transacting, token: Token): Promise<void> {
  known_statements ??= await statementsFor(tx.db, token)
  const { insert, tokens } = known_statements
  await run(tx.db, insert, [1, ...tokens.values([token])])
}

/** Writes tokens and their first events, all or none of a statement; says by which transaction. */
async function makeTokens(db: Db, made: readonly Making[]): Promise<(string | null)[]> {
  const items = made.map(({ token }) => token)
  known_statements ??= await statementsFor(db, items[0] as Token)
  const { make, tokens, events } = known_statements
  const told = events.values(made.map(({ event }) => event))
  try {
    const values = [made.length, ...tokens.values(items), ...told]
    const [done] = await run<{ made_by: string }>(db, make, values)
    return made.map(() => done?.made_by ?? null)
  } catch (error) {
    if (!isLost(error)) throw error
    await writtenDespite(db, 'transaction_tokens', items, error)
    return made.map(() => null)
  }
}

const tokenMaker = perDb((db) =>
  newBatch<Making, string | null>((made) => makeTokens(db, made), {
    ...write_options,
    ownerOf: ({ token }) => token.merchant_id,
  }),
)

/** Writes a token: those that come at the same time share a statement. */
export async function makeToken(service: Service, making: Making): Promise<void> {
  const made_by = await tokenMaker(service.db)(making)
  const { token } = making
  if (made_by !== null && token.type === 'one_time') keepNewToken({ token, made_by })
  service.signals.spread('work', 'events')
}
