import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Transaction } from 'kysely'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Mode } from './core/access/caller.ts'
import type { Failpoint } from './core/failpoint.ts'
import { newId } from './core/ids.ts'
import type { RequestCounts } from './core/limits/request-counts.ts'
import { commit_policy } from './core/limits/retry-policies.ts'
import type { Clock } from './core/time/clock.ts'
import type { Deadline } from './core/time/deadline.ts'
import type { LocalWork } from './local-work.ts'
import type { Mailer } from './outbound/mailer.ts'
import type { Outbound } from './outbound/outbound.ts'
import type { Inquiry, Provider, Providers } from './providers/provider.ts'
import type { OperationKind } from './providers/provider-operations.ts'
import type { SharedServer } from './shared-state/shared-server.ts'
import type { Changes } from './store/due/changes.ts'
import type { TestClocks } from './store/due/test-clocks.ts'
import { type Channel, notify_sql, type Signals } from './store/signals.ts'
import { isRetryable, isUnavailable } from './store/sql/statements/database-errors.ts'
import type { Db } from './store/tables/db.ts'
import type { Charge, Token } from './store/tables/rows.ts'
import type { Tables } from './store/tables/tables.ts'
import type { Traces } from './traces/open-traces.ts'
import type { CvvKeys } from './vault/cvv-keys.ts'
import type { Keys } from './vault/key-ring.ts'
import type { Passwords } from './vault/password-hash.ts'

/** The service that every operation receives. Built once in `main.ts`, or by a test. */
export interface Service {
  readonly config: Config
  /** The time that rules use: the database's, or that of a merchant's test clock. */
  readonly clock: Clock
  /** The database's own time, for what a merchant cannot move. */
  readonly wall_clock: Clock
  readonly clocks: TestClocks
  /** Due work is limited to one merchant's test mode; null: all work. */
  readonly only_merchant: string | null
  /** Processes everything that is due for the caller, once; returns how much there was. */
  runDue(service: Service): Promise<number>
  /** Hands new work to the worker of this process, if there is one. */
  readonly local_work: LocalWork
  /** The counts of requests and login attempts, shared with the other processes and machines. */
  readonly counts: RequestCounts
  /** Null: there is no other machine. */
  readonly shared_server: SharedServer | null
  /**
   * The public address, for links, which without a setting is known once the service listens; and that of
   * the pages of customers, if they have their own.
   */
  readonly address: { base_url: string; checkout_url: string | null }
  readonly db: Db
  readonly signals: Signals
  readonly keys: Keys
  readonly cvv_keys: CvvKeys
  readonly changes: Changes
  readonly providers: Providers
  readonly outbound: Outbound
  readonly mailer: Mailer
  readonly passwords: Passwords
  readonly log: Logger
  readonly failpoint: Failpoint
  readonly observers: Observers
  readonly effects: Effects
}

/** The effects of a payment in folders above its own. They are listed in `register-effects.ts`. */
export interface Effects {
  /** The effects of a charge's new state, in the order of their row locks. */
  readonly charge: readonly ChargeEffect[]
  /** Posts the deposits that have arrived for a charge; false: the provider did not say. */
  postDeposits(service: Service, attempt: ChargeAttempt): Promise<boolean>
  /** Ends what belongs to a store that is being deleted. */
  endStore(tx: Transacting, merchant_id: string, store_id: string): Promise<void>
  /** The subscriptions that a token pays for, when it is being deleted. */
  readonly payers: {
    /** Billing locks a subscription before its token: so does the deletion, or they wait for each other. */
    lock(tx: Transacting, token: Token): Promise<void>
    /** False: a subscription is billed with it, and continues. */
    stop(tx: Transacting, token: Token, how: 'suspend' | 'refuse'): Promise<boolean>
  }
  /** Makes a charge of nothing: it only asks the issuer whether the card and its security code are right. */
  checkCard(tx: Transacting, token: Token): Promise<Charge>
}

/** The effects of a charge's new state besides its own row and the ledger. */
export interface ChargeEffect {
  applies(charge: Charge, status: Charge['status']): boolean
  run(tx: Transacting, settled: Charge): Promise<unknown>
  /** The statement that settles charges does this itself when no other effect applies. */
  readonly in_statement?: true
}

/** A claimed charge, its provider, and until when its calls have to be over. */
export interface ChargeAttempt {
  readonly provider: Provider
  readonly row: Charge
  readonly deadline: Deadline
}

/** The observers of the service, set once at the start; null: nothing is measured. */
export interface Observers {
  onProviderCall: ((call: ProviderCall) => void) | null
  traces: Traces | null
}

/** A call to a payment provider that has ended. */
export interface ProviderCall {
  readonly provider: string
  readonly operation: OperationKind | 'inquire' | 'deposits' | 'disputes' | 'respond_to_dispute'
  /** `none`: it did not answer, or nothing that can be understood. */
  readonly outcome: Inquiry['outcome'] | 'answered' | 'none'
  /** The error code of a refusal. */
  readonly code: number | null
  readonly seconds: number
}

/** The service inside a transaction: `db` is the transaction. */
export interface Transacting extends Service {
  readonly db: Transaction<Tables>
  /** Runs after the transaction has committed, and not at all otherwise; a promise is awaited. */
  afterCommit(action: AfterCommit): void
}

/** Gets the service as it was before the transaction. */
type AfterCommit = (service: Service) => unknown

export function isTransacting(service: Service): service is Transacting {
  return service.db.isTransaction
}

const max_attempts = 5

/**
 * Runs work in the current transaction of the service, or in a new one. Work that meets a deadlock is
 * rolled back and retried, so it must change nothing but the database.
 */
export async function inTransaction<T>(
  service: Service,
  work: (service: Transacting) => Promise<T>,
): Promise<T> {
  if (isTransacting(service)) return work(service)
  for (let attempt = 1; ; attempt += 1) {
    const actions: AfterCommit[] = []
    try {
      const result = await commit(service, (db) =>
        work({ ...service, db, afterCommit: (action) => actions.push(action) }),
      )
      for (const action of actions) await action(service)
      return result
    } catch (error) {
      if (attempt === max_attempts || !isRetryable(error)) throw error
    }
  }
}

/**
 * Runs and commits. When the connection dies before the commit is confirmed, the outcome of the
 * transaction is queried over another one: committed is success, anything else an error.
 */
async function commit<T>(
  service: Service,
  work: (db: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  let finished: { result: T; transaction: string | null } | null = null
  try {
    return await service.db.transaction().execute(async (db) => {
      const result = await work(db)
      const { rows } = await sql<{ id: string | null }>`
        select pg_current_xact_id_if_assigned()::text as id`.execute(db)
      finished = { result, transaction: rows[0]?.id ?? null }
      return result
    })
  } catch (error) {
    const { result, transaction } = finished ?? { result: undefined, transaction: null }
    if (!transaction || !isUnavailable(error)) throw error
    if (!(await wasCommitted(service, transaction))) throw error
    return result as T
  }
}

async function wasCommitted(service: Service, transaction: string): Promise<boolean> {
  const { max_questions, ask_again_ms } = commit_policy
  for (let asked = 1; ; asked += 1) {
    try {
      const { rows } = await sql<{ status: string }>`
        select pg_xact_status(${transaction}::xid8) as status`.execute(service.db)
      if (rows[0]?.status !== 'in progress') return rows[0]?.status === 'committed'
    } catch (error) {
      if (asked === max_questions) throw error
    }
    if (asked === max_questions) return false
    await sleep(ask_again_ms)
  }
}

/** Notifies every process when the transaction commits, and this one before the caller gets its result. */
export async function announce(
  service: Transacting,
  channel: Channel,
  payload: string,
): Promise<void> {
  await sql`select pg_notify(${notify_sql(channel)}, ${payload})`.execute(service.db)
  service.afterCommit(() => service.signals.deliver(channel, payload))
}

/** The same service at the time of a merchant's mode: a row is processed at its own time. */
export function atTimeOf<S extends Service>(
  service: S,
  { merchant_id, mode }: { merchant_id: string; mode: Mode | null },
): S {
  const clock = service.clocks.of(merchant_id, mode)
  return clock === service.clock ? service : { ...service, clock }
}

/**
 * How far ahead of real time the objects are that a caller changes, if they are of test mode. A caller
 * without a mode changes objects of both modes, so the object itself decides whether this applies.
 */
export function aheadOf(
  { clocks, wall_clock }: Service,
  { merchant_id, mode }: { merchant_id: string; mode: Mode | null },
): number {
  const [real, test] = [clocks.of(merchant_id, null), clocks.of(merchant_id, 'test')]
  return mode === 'live' || test === real ? 0 : test.now() - wall_clock.now()
}

/** The same service, limited to the work of one merchant's test mode, at its time. */
export function onlyFor(service: Service, merchant_id: string): Service {
  return { ...atTimeOf(service, { merchant_id, mode: 'test' }), only_merchant: merchant_id }
}

/** The current instant in its stored form. */
export function now(service: Service): Date {
  return new Date(service.clock.now())
}

/** An id and its instant, for a new row. */
export function newRow(service: Service): { id: string; created_on: Date } {
  const created_on = now(service)
  return { id: newId(created_on.getTime()), created_on }
}
