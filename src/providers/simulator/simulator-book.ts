import { type Selectable, sql, type Transaction } from 'kysely'
import type { Service } from '../../service.ts'
import { newBatch, perPool, work_options } from '../../store/batch.ts'
import { newColumnArrays } from '../../store/column-arrays.ts'
import type { Db } from '../../store/open-store.ts'
import type { SimulatorOperationTable, SimulatorOutcome } from '../../store/simulator-tables.ts'
import { run } from '../../store/statement.ts'
import type { Tables } from '../../store/tables.ts'
import type {
  Authentication,
  Authorization,
  CustomsOperation,
  Operation,
  Outcome,
  Provider,
} from '../provider.ts'
import { decideCustoms } from './customs-scenarios.ts'

export type SimulatorParts = Pick<Service, 'db' | 'clocks' | 'config'>
export type Row = Selectable<SimulatorOperationTable>

/** What a simulator makes of a new payment, and how it tells it. */
export interface Decision {
  readonly outcome: SimulatorOutcome
  readonly traits: Row['traits']
  readonly delay_ms: number
  /** The first call has its effect, but its answer does not arrive. */
  readonly lose_first_answer: boolean
}

/** The part in which simulators differ. */
export interface Deciding {
  readonly name: string
  currencies(brand: string | null): readonly string[]
  authenticate(operation: Authentication): SimulatorOutcome
  authorize(operation: Authorization): Decision
}

interface Entry {
  kind: Row['kind']
  capture: boolean | null
  outcome: SimulatorOutcome
  traits: Row['traits']
  delay_ms: number
}

const lost_answer_ms = 1000

const approved: SimulatorOutcome = { outcome: 'approved' }

export function refused(code: number, detail: string): SimulatorOutcome {
  return { outcome: 'refused', code, detail }
}

/** What the provider did with a charge so far, read while what began it is locked. */
interface History {
  authorization: Row | null
  /** Something still waits for the customer, or the cardholder was asked. */
  begun: boolean
  voided: boolean
  /** Null: nothing was captured. */
  captured_amount: number | null
  refunded_amount: number
  deposited_amount: number
  returned_amount: number
  return_fails: boolean
}

/** Waits for every other operation on the charge; what is read afterwards stays true. */
async function lockHistory(tx: Transaction<Tables>, operation: Operation): Promise<History> {
  const ofCharge = tx
    .selectFrom('simulator_operations')
    .selectAll()
    .where('merchant_id', '=', operation.merchant_id)
    .where('charge_id', '=', operation.charge_id)
  await ofCharge
    .where('kind', 'in', ['authorize', 'authenticate'])
    .orderBy('reference')
    .forUpdate()
    .execute()
  const all = await ofCharge.orderBy('created_on').orderBy('reference').execute()
  const rows = all.filter(({ outcome }) => outcome.outcome === 'approved')
  const first = (kind: Row['kind']) => rows.find((row) => row.kind === kind) ?? null
  const sum = (kind: Row['kind']) =>
    rows.reduce((total, row) => total + (row.kind === kind ? row.amount : 0), 0)
  const authorization = first('authorize')
  const taken = authorization?.capture ? authorization : first('capture')
  return {
    authorization,
    begun: all.some(isWaiting) || first('authenticate') !== null,
    voided: first('void') !== null,
    captured_amount: taken?.amount ?? null,
    refunded_amount: sum('refund'),
    deposited_amount: sum('deposit'),
    returned_amount: sum('return'),
    return_fails: rows.some(({ kind, traits }) => kind === 'deposit' && traits.refund_fails),
  }
}

function isWaiting({ outcome }: Row): boolean {
  return outcome.outcome === 'waiting'
}

type Rule = (operation: Operation, history: History) => SimulatorOutcome

const decideCapture: Rule = (operation, { authorization, voided, captured_amount }) => {
  if (authorization === null) return refused(308, 'There is no such authorization.')
  if (operation.currency !== authorization.currency) return refused(308, 'Another currency.')
  if (voided) return refused(308, 'The authorization was released.')
  if (captured_amount !== null) return refused(308, 'The authorization was already captured.')
  if (operation.amount > authorization.amount) return refused(308, 'More than was authorized.')
  return approved
}

const decideVoid: Rule = (_, { authorization, begun, voided, captured_amount }) => {
  if (authorization === null && begun) return approved
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

const decideReturn: Rule = ({ amount }, { deposited_amount, returned_amount, return_fails }) => {
  if (return_fails) return refused(329, "The payer's name asked for it.")
  if (returned_amount + amount > deposited_amount) return refused(308, 'More than was deposited.')
  return approved
}

type NewRow = Omit<Row, 'received'>

const columns = {
  merchant_id: 'uuid',
  reference: 'uuid',
  kind: 'text',
  charge_id: 'uuid',
  amount: 'bigint',
  currency: 'text',
  capture: 'boolean',
  outcome: 'jsonb',
  traits: 'jsonb',
  ready_on: 'timestamptz',
  created_on: 'timestamptz',
} as const
const names = Object.keys(columns)
const arrays = newColumnArrays(columns)

/** One statement: of any number of equal calls one makes the row, and all get what it says. */
const record_rows = `
  insert into simulator_operations as known (${names.join(', ')})
  select * from unnest(${names.map(arrays.of).join(', ')})
  on conflict (merchant_id, reference) do update set received = known.received + 1
  returning merchant_id, reference, received, case when received > 1 then to_json(known) end as found`

/** A row that was there; what was written just now is as it was sent. */
type Found = Omit<Row, 'ready_on' | 'created_on'> & { ready_on: string; created_on: string }
type Recorded = Pick<Row, 'merchant_id' | 'reference' | 'received'> & {
  readonly found: Found | null
}

async function recordRows(db: Db, rows: readonly NewRow[]): Promise<Row[]> {
  const recorded = await run<Recorded>(db, record_rows, arrays.values(rows))
  const nameOf = (row: Pick<Row, 'merchant_id' | 'reference'>) =>
    `${row.merchant_id} ${row.reference}`
  const known = new Map(recorded.map((row) => [nameOf(row), row]))
  return rows.map((row) => {
    const { found, received } = known.get(nameOf(row)) as Recorded
    if (!found) return { ...row, received }
    const [ready_on, created_on] = [new Date(found.ready_on), new Date(found.created_on)]
    return { ...found, ready_on, created_on }
  })
}

/** Calls that come at the same time are written down together. */
const recorder = perPool((db) =>
  newBatch<NewRow, Row>((rows) => recordRows(db, rows), {
    ...work_options,
    ownerOf: ({ merchant_id }) => merchant_id,
    keyOf: ({ reference }) => reference,
  }),
)

export async function record(
  db: Db,
  now_ms: number,
  operation: Omit<Operation, 'mode'>,
  { delay_ms, ...entry }: Entry,
): Promise<Row> {
  const { merchant_id, reference, charge_id, amount, currency } = operation
  const row = {
    ...{ merchant_id, reference, charge_id, amount, currency, ...entry },
    ready_on: new Date(now_ms + delay_ms),
    created_on: new Date(now_ms),
  }
  if (!db.isTransaction) return recorder(db)(row)
  const [made] = await recordRows(db, [row])
  return made as Row
}

/** What waits for the customer no longer does: nobody can pay it any more. */
async function withdraw(tx: Transaction<Tables>, operation: Operation): Promise<void> {
  await tx
    .updateTable('simulator_operations')
    .set({ outcome: JSON.stringify(refused(345, 'The payment was withdrawn.')) })
    .where('merchant_id', '=', operation.merchant_id)
    .where('charge_id', '=', operation.charge_id)
    .where(sql`outcome ->> 'outcome'`, '=', 'waiting')
    .execute()
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
export function requireNoTransaction(db: Db): void {
  if (db.isTransaction) throw new Error('A provider is never called inside a transaction.')
}

function requireTestMode({ mode }: Operation): void {
  if (mode !== 'test') throw new Error('The simulator never takes live payments.')
}

/**
 * A provider that exists only here. It keeps its own book and is as strict as a real one: a
 * reference has one effect, and operations on one charge run one after the other.
 */
export function newSimulator({ db, clocks }: SimulatorParts, deciding: Deciding): Provider {
  const timeOf = (merchant_id: string) => clocks.of(merchant_id, 'test').now()

  function answer(row: Row): Outcome {
    const wait_ms = row.ready_on.getTime() - timeOf(row.merchant_id)
    return wait_ms > 0 ? { outcome: 'unknown', ask_again_ms: wait_ms } : row.outcome
  }

  function answerTo(operation: Operation, entry: Entry, row: Row): Outcome {
    if (isSame(row, operation, entry)) return answer(row)
    return { outcome: 'refused', code: 339, detail: 'The reference belongs to another operation.' }
  }

  function checkCall(operation: Operation): void {
    requireNoTransaction(db)
    requireTestMode(operation)
  }

  /** An issuer that is satisfied says so and keeps nothing; only a challenge is a thing of its own. */
  async function authenticate(operation: Authentication): Promise<Outcome> {
    checkCall(operation)
    const outcome = deciding.authenticate(operation)
    if (outcome.outcome === 'approved') return outcome
    const entry: Entry = { kind: 'authenticate', capture: null, outcome, traits: {}, delay_ms: 0 }
    return answerTo(
      operation,
      entry,
      await record(db, timeOf(operation.merchant_id), operation, entry),
    )
  }

  async function authorize(operation: Authorization): Promise<Outcome> {
    checkCall(operation)
    const { outcome, traits, delay_ms, lose_first_answer } = deciding.authorize(operation)
    const { capture } = operation
    const entry: Entry = { kind: 'authorize', capture, outcome, traits, delay_ms }
    const row = await record(db, timeOf(operation.merchant_id), operation, entry)
    const told = answerTo(operation, entry, row)
    if (!lose_first_answer || row.received > 1) return told
    const wait_ms = told.outcome === 'unknown' ? told.ask_again_ms : 0
    return { outcome: 'unknown', ask_again_ms: Math.max(wait_ms, lost_answer_ms) }
  }

  async function follow(
    kind: Row['kind'],
    operation: Operation,
    rule: Rule,
    delay_ms = 0,
  ): Promise<Outcome> {
    checkCall(operation)
    return db
      .transaction()
      .setIsolationLevel('read committed')
      .execute(async (tx) => {
        const outcome = rule(operation, await lockHistory(tx, operation))
        const entry: Entry = { kind, capture: null, outcome, traits: {}, delay_ms }
        const row = await record(tx, timeOf(operation.merchant_id), operation, entry)
        if (kind === 'void' && row.outcome.outcome === 'approved') await withdraw(tx, operation)
        return answerTo(operation, entry, row)
      })
  }

  function declareCustoms(operation: CustomsOperation): Promise<Outcome> {
    const { outcome, delay_ms } = decideCustoms(operation)
    const rule: Rule = (_, { captured_amount }) =>
      captured_amount === null ? refused(308, 'Nothing was captured.') : outcome
    return follow('customs', operation, rule, delay_ms)
  }

  return {
    name: deciding.name,
    currencies: deciding.currencies,
    authenticate,
    authorize,
    capture: (operation) => follow('capture', operation, decideCapture),
    void: (operation) => follow('void', operation, decideVoid),
    refund: (operation) => follow('refund', operation, decideRefund),
    returnDeposit: (operation) => follow('return', operation, decideReturn),
    declareCustoms,
    deposits: async ({ merchant_id, charge_id }) => {
      requireNoTransaction(db)
      const rows = await db
        .selectFrom('simulator_operations')
        .selectAll()
        .where('merchant_id', '=', merchant_id)
        .where('charge_id', '=', charge_id)
        .where('kind', '=', 'deposit')
        .orderBy('created_on')
        .execute()
      return rows.map(({ reference, amount, currency, created_on: paid_on }) => {
        return { reference, amount, currency, paid_on }
      })
    },
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
