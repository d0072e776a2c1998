import { verifyMessage } from '../core/access/webhook-signature.ts'
import { typesWhere } from '../methods/method-facts.ts'
import type {
  ArrivedDeposit,
  Capabilities,
  Notified,
  Outcome,
  Provider,
  RawNotification,
} from '../providers/provider.ts'
import type {
  Authentication,
  Authorization,
  ChargeOfDeposits,
  CustomsOperation,
  Operation,
} from '../providers/provider-operations.ts'
import type { Service } from '../service.ts'
import type { Db } from '../store/tables/db.ts'
import { type Keys, keyedHash } from '../vault/key-ring.ts'
import { newCustomerActions } from './customer-actions.ts'
import { needsChallenge } from './decisions/card-scenarios.ts'
import { card_currencies, decideCard } from './decisions/decide-card.ts'
import { brandCurrencies, decideCustomer } from './decisions/decide-customer.ts'
import { decideCustoms } from './decisions/decide-customs.ts'
import { type Decision, refused } from './decisions/decision.ts'
import {
  decideCapture,
  decideRefund,
  decideReturn,
  decideVoid,
  lockHistory,
  type Rule,
  withdraw,
} from './follow-up-rules.ts'
import {
  type Entry,
  findDeposits,
  findOperation,
  logOperation,
  type Row,
} from './log/operations-log.ts'
import { disputePaid, listDisputes, respondToDispute } from './simulated-disputes.ts'

export type SimulatorParts = Pick<Service, 'db' | 'clocks' | 'config' | 'keys'>

const lost_response_ms = 1000

const common: Omit<Capabilities, 'payment_types' | 'currencies'> = {
  modes: ['test'],
  brands: null,
  partial_capture: true,
  multiple_captures: false,
  partial_refund: true,
  refund_window_ms: null,
  void_after_capture: false,
  repeatable: true,
  inquires_by: 'our_reference',
  notifications: true,
  network_transaction_ids: false,
  credentials: false,
}

/** Cards have a network of their own; in everything else the customer acts. */
const simulators = {
  card_simulator: {
    ...common,
    payment_types: typesWhere(({ by_card }) => by_card),
    currencies: () => card_currencies,
  },
  customer_simulator: {
    ...common,
    payment_types: typesWhere(({ by_card }) => !by_card),
    currencies: ({ brand }) => brandCurrencies(brand),
  },
} as const satisfies Record<string, Capabilities>

/** Providers that exist only here, for test mode. */
export function newSimulators(parts: SimulatorParts): Provider[] {
  return Object.entries(simulators).map(([name, can]) => newSimulator(parts, name, can))
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

function requireCallable(db: Db, { mode }: Pick<Operation, 'mode'>): void {
  requireNoTransaction(db)
  if (mode !== 'test') throw new Error('The simulator never takes live payments.')
}

/** The simulator's additions to its outcome, as a real provider would make them. */
function named({ reference, kind, outcome }: Pick<Row, 'reference' | 'kind' | 'outcome'>): Outcome {
  const provider_reference = `sim_${reference}`
  if (outcome.outcome !== 'approved' || kind !== 'authorize') {
    return { ...outcome, provider_reference }
  }
  const authorization_code = reference.slice(-6).toUpperCase()
  return { outcome: 'approved', provider_reference, authorization_code }
}

/** A delayed outcome is unknown until its time. */
function responseAt(now_ms: number, row: Row): Outcome {
  const wait_ms = row.ready_on.getTime() - now_ms
  return wait_ms > 0 ? { outcome: 'unknown', ask_again_ms: wait_ms } : named(row)
}

function decidePayment(
  operation: Authorization,
  compatibility: SimulatorParts['config']['compatibility'],
): Decision {
  const { instrument } = operation
  return instrument.kind === 'card'
    ? decideCard(operation, instrument.number.reveal(), compatibility)
    : decideCustomer(operation, instrument, compatibility)
}

const another_operation: Outcome = {
  outcome: 'refused',
  code: 339,
  detail: 'The reference belongs to another operation.',
}

/** A payment that its customer will dispute is logged with the dispute, or neither is. */
function logPayment(db: Db, now_ms: number, operation: Operation, entry: Entry): Promise<Row> {
  if (!entry.traits.disputed) return logOperation(db, now_ms, operation, entry)
  return db.transaction().execute(async (tx) => {
    const logged = await logOperation(tx, now_ms, operation, entry)
    await disputePaid(tx, now_ms, logged)
    return logged
  })
}

async function listDeposits(db: Db, charge: ChargeOfDeposits): Promise<ArrivedDeposit[]> {
  requireNoTransaction(db)
  const rows = await findDeposits(db, charge)
  return rows.map(({ reference, amount, currency, created_on: paid_on, traits }) => {
    return { reference, amount, currency, paid_on, name: traits.name ?? null }
  })
}

function disputeMethods(
  db: Db,
  timeOf: (merchant_id: string) => number,
): Pick<Provider, 'disputes' | 'respondToDispute'> {
  return {
    disputes: async (charge) => {
      requireNoTransaction(db)
      return listDisputes(db, timeOf(charge.merchant_id), charge)
    },
    respondToDispute: async (response) => {
      requireCallable(db, response)
      return respondToDispute(db, timeOf(response.merchant_id), response)
    },
  }
}

/**
 * A provider that exists only here: a card network, wallets, brands, convenience stores, a bank. It
 * keeps a log of its operations and is as strict as a real one: a reference has one effect, and
 * operations on one charge run one after the other.
 */
function newSimulator(
  { db, clocks, config, keys }: SimulatorParts,
  name: string,
  capabilities: Capabilities,
): Provider {
  const timeOf = (merchant_id: string) => clocks.of(merchant_id, 'test').now()

  const stored = (row: Row) => responseAt(timeOf(row.merchant_id), row)
  const outcomeOf = (operation: Operation, entry: Entry, row: Row): Outcome =>
    isSame(row, operation, entry) ? stored(row) : another_operation

  /** An authentication without a challenge stores nothing; only challenges have a row. */
  async function authenticate(operation: Authentication): Promise<Outcome> {
    requireCallable(db, operation)
    const { card, force, merchant_id } = operation
    if (!force && !needsChallenge(card.number.reveal())) {
      return { outcome: 'approved', is_uncalled: true }
    }
    const outcome = { outcome: 'waiting', instructions: { kind: 'three_ds' } } as const
    const entry: Entry = { kind: 'authenticate', capture: null, outcome, traits: {}, delay_ms: 0 }
    const row = await logOperation(db, timeOf(merchant_id), operation, entry)
    return outcomeOf(operation, entry, row)
  }

  async function authorize(operation: Authorization): Promise<Outcome> {
    requireCallable(db, operation)
    const { lose_first_response, ...decided } = decidePayment(operation, config.compatibility)
    const entry: Entry = { kind: 'authorize', capture: operation.capture, ...decided }
    const now_ms = timeOf(operation.merchant_id)
    const row = await logPayment(db, now_ms, operation, entry)
    const reported = outcomeOf(operation, entry, row)
    if (!lose_first_response || row.received > 1) return reported
    const wait_ms = reported.outcome === 'unknown' ? reported.ask_again_ms : 0
    return { outcome: 'unknown', ask_again_ms: Math.max(wait_ms, lost_response_ms) }
  }

  async function follow(
    kind: Row['kind'],
    operation: Operation,
    rule: Rule,
    delay_ms = 0,
  ): Promise<Outcome> {
    requireCallable(db, operation)
    return db
      .transaction()
      .setIsolationLevel('read committed')
      .execute(async (tx) => {
        const now_ms = timeOf(operation.merchant_id)
        const history = await lockHistory(tx, operation)
        const outcome = rule(operation, history)
        const disputed = kind === 'capture' && history.authorization?.traits.disputed
        const traits = disputed ? { disputed } : {}
        const entry: Entry = { kind, capture: null, outcome, traits, delay_ms }
        const row = await logOperation(tx, now_ms, operation, entry)
        await disputePaid(tx, now_ms, row)
        if (kind === 'void' && row.outcome.outcome === 'approved') await withdraw(tx, operation)
        return outcomeOf(operation, entry, row)
      })
  }

  function declareCustoms(operation: CustomsOperation): Promise<Outcome> {
    const { outcome, delay_ms } = decideCustoms(operation)
    const rule: Rule = (_, { captured_amount }) =>
      captured_amount === null ? refused(308, 'Nothing was captured.') : outcome
    return follow('customs', operation, rule, delay_ms)
  }

  return {
    name,
    callback_name: 'simulator',
    capabilities,
    authenticate,
    authorize,
    capture: (operation) => follow('capture', operation, decideCapture),
    void: (operation) => follow('void', operation, decideVoid),
    refund: (operation) => follow('refund', operation, decideRefund),
    returnDeposit: (operation) => follow('return', operation, decideReturn),
    declareCustoms,
    deposits: (charge) => listDeposits(db, charge),
    ...disputeMethods(db, timeOf),
    inquire: async (operation) => {
      requireNoTransaction(db)
      const row = await findOperation(db, operation)
      return row ? stored(row) : { outcome: 'never_received' }
    },
    readNotification: (notification) => readNotification(simulatorSecret(keys), notification),
    customer: newCustomerActions(timeOf),
  }
}

/** The secret that signs the simulator's notifications. */
export function simulatorSecret({ fingerprint }: Keys): string {
  return `whsec_${keyedHash(fingerprint.newest, 'callbacks', 'simulator').toString('base64')}`
}

function readNotification(
  secret: string,
  { body, headers, now_ms }: RawNotification,
): Notified[] | null {
  const header = (name: string) => String(headers[name] ?? '')
  const signed = {
    id: header('webhook-id'),
    timestamp: Number(header('webhook-timestamp')),
    body: body.toString(),
  }
  if (!verifyMessage(secret, signed, header('webhook-signature'), now_ms)) return null
  return [JSON.parse(signed.body)]
}
