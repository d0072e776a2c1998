import { type EventRow, event_columns, eventsFrom } from '../../events/emit.ts'
import type { Service } from '../../service.ts'
import { writtenDespite } from '../../store/after-loss.ts'
import { newBatch, perDb, write_options } from '../../store/batch.ts'
import { asJson, insertFrom } from '../../store/json-rows.ts'
import { type Db, isLost } from '../../store/open-store.ts'
import { run } from '../../store/statement.ts'
import type { Token } from './token.ts'

export interface NewToken {
  readonly token: Token
  /** Tells that it was made. */
  readonly event: EventRow
}

const text_of = new Map<string, string>()

/** Writes tokens and their first events, all or none of a statement. */
async function makeTokens(db: Db, made: readonly NewToken[]): Promise<boolean[]> {
  const tokens = made.map(({ token }) => token)
  const columns = Object.keys(tokens[0] ?? {})
  const name = columns.join()
  const text =
    text_of.get(name) ??
    `with made as (${insertFrom('transaction_tokens', columns, '$1')}),
    given as (select * from json_to_recordset($2::json) as given (${event_columns})),
    ${eventsFrom('given')}
    select 1`
  text_of.set(name, text)
  const events = made.map(({ event }) => event)
  try {
    await run(db, text, [asJson(tokens), JSON.stringify(events)])
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
