import { type EventRow, event_columns, eventsFrom } from '../../events/emit.ts'
import type { Service } from '../../service.ts'
import { writtenDespite } from '../../store/after-loss.ts'
import { newBatch, perDb, write_options } from '../../store/batch.ts'
import { arraysOf, parametersFor } from '../../store/column-arrays.ts'
import { type Db, isLost } from '../../store/open-store.ts'
import { run } from '../../store/statement.ts'
import type { Token } from './token.ts'

export interface NewToken {
  readonly token: Token
  /** Tells that it was made. */
  readonly event: EventRow
}

let known_text: string | null = null

/** The columns of the tokens come first, then the events. */
async function makeText(db: Db, columns: readonly string[]): Promise<string> {
  const parameters = await parametersFor(db, 'transaction_tokens', columns)
  return `with made as (
      insert into transaction_tokens (${columns.join(', ')})
      select * from unnest(${parameters.join(', ')})
    ), given as (
      select * from json_to_recordset($${columns.length + 1}::json) as given (${event_columns})
    ), ${eventsFrom('given')}
    select 1`
}

/** Writes tokens and their first events, all or none of a statement. */
async function makeTokens(db: Db, made: readonly NewToken[]): Promise<boolean[]> {
  const tokens = made.map(({ token }) => token)
  const columns = Object.keys(tokens[0] ?? {})
  known_text ??= await makeText(db, columns)
  const events = JSON.stringify(made.map(({ event }) => event))
  try {
    await run(db, known_text, [...arraysOf(tokens, columns), events])
  } catch (error) {
    if (!isLost(error)) throw error
    await writtenDespite(db, 'transaction_tokens', tokens, error)
  }
  return made.map(() => true)
}

const tokenMaker = perDb((db) =>
  newBatch<NewToken, boolean>((made) => makeTokens(db, made), {
    ...write_options,
    ownerOf: ({ token }) => token.merchant_id,
  }),
)

/** Writes a token: those that come at the same time share a statement. */
export async function makeToken(service: Service, made: NewToken): Promise<void> {
  await tokenMaker(service.db)(made)
  service.signals.spread('work', 'events')
}
