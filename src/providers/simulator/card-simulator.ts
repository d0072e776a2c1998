import { type Selectable, sql, type Transaction } from 'kysely'
import type { Service } from '../../service.ts'
import type { Db } from '../../store/open-store.ts'
import type { SimulatorOperationTable, Tables } from '../../store/tables.ts'
import type { Authorization, Operation, Outcome, Provider } from '../provider.ts'
import { readScenario, type Scenario } from './card-scenarios.ts'

type Parts = Pick<Service, 'db' | 'clock' | 'config'>
type Row = Selectable<SimulatorOperationTable>
type Decision = Row['outcome']

/** What happens to a row that is not decided by the charge's own history. */
interface Entry {
  kind: Row['kind']
  capture: boolean | null
  outcome: Decision
  traits: Row['traits']
  delay_ms: number
}

const currencies = [
  'JPY',
  'USD',
  'EUR',
  'GBP',
  'KRW',
  'TWD',
  'HKD',
  'SGD',
  'THB',
  'CNY',
  'AUD',
  'CAD',
  'NZD',
  'CHF',
] as const

const lost_answer_ms = 1000

const approved: Decision = { outcome: 'approved' }

function refused(code: number, detail: string): Decision {
  return { outcome: 'refused', code, detail }
}

/** What the provider did with a charge so far, read while its authorization is locked. */
interface History {
  authorization: Row | null
  voided: boolean
  /** Null: nothing was captured. */
  captured_amount: number | null
  refunded_amount: number
}

/** Waits for every other operation on the charge; what is read afterwards stays true. */
async function lockHistory(tx: Transaction<Tables>, operation: Operation): Promise<History> {
  const ofCharge = tx
    .selectFrom('simulator_operations')
    .selectAll()
    .where('merchant_id', '=', operation.merchant_id)
    .where('charge_id', '=', operation.charge_id)
  await ofCharge.where('kind', '=', 'authorize').orderBy('reference').forUpdate().execute()
  const rows = await ofCharge
    .where(sql`outcome ->> 'outcome'`, '=', 'approved')
    .orderBy('created_on')
    .orderBy('reference')
    .execute()
  const first = (kind: Row['kind']) => rows.find((row) => row.kind === kind) ?? null
  const authorization = first('authorize')
  const taken = authorization?.capture ? authorization : first('capture')
  return {
    authorization,
    voided: first('void') !== null,
    captured_amount: taken?.amount ?? null,
    refunded_amount: rows.reduce((sum, row) => sum + (row.kind === 'refund' ? row.amount : 0), 0),
  }
}

type Rule = (operation: Operation, history: History) => Decision

const decideCapture: Rule = (operation, { authorization, voided, captured_amount }) => {
  if (authorization === null) return refused(308, 'There is no such authorization.')
  if (operation.currency !== authorization.currency) return refused(308, 'Another currency.')
  if (voided) return refused(308, 'The authorization was released.')
  if (captured_amount !== null) return refused(308, 'The authorization was already captured.')
  if (operation.amount > authorization.amount) return refused(308, 'More than was authorized.')
  return approved
}

const decideVoid: Rule = (_, { authorization, voided, captured_amount }) => {
  if (authorization === null) return refused(312, 'There is no such authorization.')
  if (captured_amount !== null) return refused(312, 'The authorization was already captured.')
  if (voided) return refused(345, 'The authorization was already released.')
  if (authorization.traits.void_fails) return refused(312, 'The test card asked for it.')
  return approved
}

const decideRefund: Rule = (operation, { authorization, captured_amount, refunded_amount }) => {
  if (authorization === null || captured_amount === null) {
    return refused(308, 'Nothing was captured.')
  }
  if (operation.currency !== authorization.currency) return refused(308, 'Another currency.')
  if (authorization.traits.refund_fails) return refused(329, 'The test card asked for it.')
  if (refunded_amount + operation.amount > captured_amount) {
    return refused(308, 'More than was captured.')
  }
  return approved
}

function decideAuthorization(currency: string, { refuse_code }: Scenario): Decision {
  if (!currencies.some((one) => one === currency)) return refused(308, 'Currency not taken.')
  return refuse_code === null ? approved : refused(refuse_code, 'The test data asked for it.')
}

/** One statement: of any number of equal calls one makes the row, and all get what it says. */
async function record(db: Db, now_ms: number, operation: Operation, entry: Entry): Promise<Row> {
  return db
    .insertInto('simulator_operations')
    .values({
      merchant_id: operation.merchant_id,
      reference: operation.reference,
      kind: entry.kind,
      charge_id: operation.charge_id,
      amount: operation.amount,
      currency: operation.currency,
      capture: entry.capture,
      outcome: JSON.stringify(entry.outcome),
      traits: JSON.stringify(entry.traits),
      ready_on: new Date(now_ms + entry.delay_ms),
      created_on: new Date(now_ms),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['merchant_id', 'reference'])
        .doUpdateSet((row) => ({ received: row('simulator_operations.received', '+', 1) })),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

function isSame(row: Row, operation: Operation, { kind, capture }: Entry): boolean {
  return (
    row.kind === kind &&
    row.capture === capture &&
    row.charge_id === operation.charge_id &&
    row.amount === operation.amount &&
    row.currency === operation.currency
  )
}

/** A caller that waits for an answer must not hold locks of its own meanwhile. */
function requireNoTransaction(db: Db): void {
  if (db.isTransaction) throw new Error('A provider is never called inside a transaction.')
}

function requireTestMode({ mode }: Operation): void {
  if (mode !== 'test') throw new Error('The simulator never takes live payments.')
}

/**
 * A card network that exists only here. It keeps its own book and is as strict as a real one:
 * a reference has one effect, and operations on one charge run one after the other.
 */
export function newCardSimulator({ db, clock, config }: Parts): Provider {
  function answer(row: Row): Outcome {
    const wait_ms = row.ready_on.getTime() - clock.now()
    return wait_ms > 0 ? { outcome: 'unknown', ask_again_ms: wait_ms } : row.outcome
  }

  function answerTo(operation: Operation, entry: Entry, row: Row): Outcome {
    if (isSame(row, operation, entry)) return answer(row)
    return refused(339, 'The reference belongs to another operation.')
  }

  async function authorize(operation: Authorization): Promise<Outcome> {
    requireNoTransaction(db)
    requireTestMode(operation)
    const number = operation.card.number.reveal()
    const { compatibility } = config
    const scenario = readScenario({ number, email: operation.email, compatibility })
    const { refund_fails, void_fails, delay_ms } = scenario
    const outcome = decideAuthorization(operation.currency, scenario)
    const traits = { refund_fails, void_fails }
    const { capture } = operation
    const entry: Entry = { kind: 'authorize', capture, outcome, traits, delay_ms }
    const row = await record(db, clock.now(), operation, entry)
    const told = answerTo(operation, entry, row)
    if (!scenario.lose_first_answer || row.received > 1) return told
    const wait_ms = told.outcome === 'unknown' ? told.ask_again_ms : 0
    return { outcome: 'unknown', ask_again_ms: Math.max(wait_ms, lost_answer_ms) }
  }

  async function follow(kind: Row['kind'], operation: Operation, rule: Rule): Promise<Outcome> {
    requireNoTransaction(db)
    requireTestMode(operation)
    return db
      .transaction()
      .setIsolationLevel('read committed')
      .execute(async (tx) => {
        const outcome = rule(operation, await lockHistory(tx, operation))
        const entry: Entry = { kind, capture: null, outcome, traits: {}, delay_ms: 0 }
        return answerTo(operation, entry, await record(tx, clock.now(), operation, entry))
      })
  }

  return {
    name: 'card_simulator',
    currencies,
    authorize,
    capture: (operation) => follow('capture', operation, decideCapture),
    void: (operation) => follow('void', operation, decideVoid),
    refund: (operation) => follow('refund', operation, decideRefund),
    inquire: async ({ merchant_id, reference }) => {
      requireNoTransaction(db)
      const row = await db
        .selectFrom('simulator_operations')
        .selectAll()
        .where('merchant_id', '=', merchant_id)
        .where('reference', '=', reference)
        .executeTakeFirst()
      return row === undefined ? { outcome: 'never_received' } : answer(row)
    },
  }
}
