import { createHmac, timingSafeEqual } from 'node:crypto'
import { promised } from '../../../src/processes/promised.ts'
import type {
  ArrivedDeposit,
  CallLimit,
  Capabilities,
  Inquiry,
  Outcome,
  Provider,
} from '../../../src/providers/provider.ts'
import type {
  Authorization,
  Continuation,
  FollowUp,
  Operation,
  OperationKind,
} from '../../../src/providers/provider-operations.ts'

/**
 * A provider that is unlike the simulator: it has its own names for everything, wants its data back
 * with each operation, repeats an operation that is sent again, needs credentials, and loses responses
 * when a test says so. It is a `Provider` in this process, below the connectors: examples/acquirer is behind one.
 */
export interface FakeAcquirer {
  readonly provider: Provider
  /** Every call that arrived, in order. */
  readonly calls: { kind: OperationKind | 'inquire' | 'continue'; operation: object }[]
  readonly payments: Payment[]
  /** The next call of this kind has its effect, and no response. */
  lose(kind: OperationKind): void
  /** The next call of this kind never responds. */
  hang(kind: OperationKind): void
  /** Holds the next call of this kind until it is released. */
  delay(kind: OperationKind): { sent: Promise<void>; release(): void }
  /** The customer pays or declines on the acquirer's page. */
  decide(id: string, approved: boolean): void
  deposit(id: string, deposit: ArrivedDeposit): void
  /** A signed notification about a payment. */
  notification(id: string, secret?: string): { body: object; headers: Record<string, string> }
}

interface Payment {
  readonly id: string
  readonly reference: string
  readonly kind: OperationKind
  readonly amount: number
  readonly of: string | null
  state: 'approved' | 'declined' | 'waiting' | 'voided'
  readonly deposits: ArrivedDeposit[]
}

/** Cards of live mode, which accepts no test cards. */
export const declined_card = '4539578763621486'
export const challenged_card = '4485275742308327'
export const acquirer_secret = 'notification secret of the acquirer'

const capabilities: Capabilities = {
  modes: ['live'],
  payment_types: ['card', 'online', 'bank_transfer'],
  brands: null,
  currencies: () => ['JPY', 'USD'],
  partial_capture: true,
  multiple_captures: false,
  partial_refund: true,
  refund_window_ms: null,
  void_after_capture: false,
  repeatable: false,
  inquires_by: 'our_reference',
  notifications: true,
  network_transaction_ids: true,
  credentials: true,
}

function sign(secret: string, body: string): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}

export function newFakeAcquirer(can: Partial<Capabilities> = {}, name = 'acquirer'): FakeAcquirer {
  const calls: FakeAcquirer['calls'] = []
  const payments: Payment[] = []
  const faults = new Map<OperationKind, 'lost' | 'hangs'>()
  const delays = new Map<OperationKind, () => Promise<void>>()

  function find(id: string | null): Payment | undefined {
    return payments.find((one) => one.id === id)
  }

  /** A repeated call is executed again: our reference is not recognised. */
  async function take(
    kind: OperationKind,
    operation: Operation,
    state: Payment['state'],
    of: string | null,
    limit?: CallLimit,
  ): Promise<Payment> {
    calls.push({ kind, operation })
    const fault = faults.get(kind)
    const arrival = delays.get(kind)
    faults.delete(kind)
    delays.delete(kind)
    await arrival?.()
    if (fault === 'hangs') {
      await new Promise((_, reject) =>
        limit?.signal.addEventListener('abort', () => reject(new Error('The call was given up.'))),
      )
    }
    const { reference, amount } = operation
    const id = `acq_${payments.length + 1}`
    const payment: Payment = { id, reference, kind, amount, of, state, deposits: [] }
    payments.push(payment)
    if (fault === 'lost') throw new Error('The connection was lost.')
    return payment
  }

  function outcomeOf(payment: Payment): Outcome {
    const { id, state, kind } = payment
    const trace = { provider_reference: id, request_id: `req_${id}`, raw_code: state }
    if (state === 'declined') {
      return { ...trace, outcome: 'refused', code: 306, detail: null, raw_message: 'Do not honour' }
    }
    if (state === 'waiting') return { ...trace, outcome: 'waiting', ...waitingFor(payment) }
    return {
      ...trace,
      outcome: 'approved',
      ...(kind === 'authorize'
        ? { authorization_code: 'A1B2C3', network_transaction_id: `net_${id}`, data: { of: id } }
        : {}),
      ...(kind === 'authenticate' ? { three_ds: three_ds_result } : {}),
    }
  }

  function waitingFor({ id, kind }: Payment) {
    const url = `https://acquirer.example/pages/${id}`
    const form = { url, method: 'post', fields: { session: id } } as const
    if (kind === 'authenticate') return { instructions: { kind: 'three_ds', form } as const }
    const instructions = { kind: 'online', sdk_token: null, form } as const
    return { instructions, data: { of: id } }
  }

  async function authorize(operation: Authorization, limit?: CallLimit): Promise<Outcome> {
    const { instrument } = operation
    if (instrument.kind === 'bank_transfer') {
      const payment = await take('authorize', operation, 'waiting', null, limit)
      return { outcome: 'waiting', provider_reference: payment.id, instructions: account }
    }
    const by_card = instrument.kind === 'card'
    const declined = by_card && instrument.number.reveal() === declined_card
    const state = declined ? 'declined' : by_card ? 'approved' : 'waiting'
    return outcomeOf(await take('authorize', operation, state, null, limit))
  }

  /** An operation of a payment: it is found only by the acquirer's own names. */
  const follow =
    (kind: OperationKind) =>
    async (operation: FollowUp, limit?: CallLimit): Promise<Outcome> => {
      const payment = find(operation.provider_reference)
      const knows_data = operation.provider_data?.of === operation.provider_reference
      if (!payment || (kind !== 'void' && !knows_data)) {
        return { outcome: 'refused', code: 338, detail: 'There is no such payment.' }
      }
      const done = await take(kind, operation, 'approved', payment.id, limit)
      if (kind === 'void') payment.state = 'voided'
      return outcomeOf(done)
    }

  const provider: Provider = {
    name,
    callback_name: name,
    capabilities: { ...capabilities, ...can },
    authorize,
    authenticate: async (operation, limit) => {
      const asks = operation.force || operation.card.number.reveal() === challenged_card
      if (!asks) return { outcome: 'approved' }
      return outcomeOf(await take('authenticate', operation, 'waiting', null, limit))
    },
    capture: follow('capture'),
    void: follow('void'),
    refund: follow('refund'),
    returnDeposit: follow('return_deposit'),
    declareCustoms: follow('declare_customs'),
    deposits: async ({ provider_reference }) => find(provider_reference)?.deposits ?? [],
    inquire: async (operation): Promise<Inquiry> => {
      calls.push({ kind: 'inquire', operation })
      const { reference, kind } = operation
      const found = payments.find((one) => one.reference === reference && one.kind === kind)
      if (found?.state === 'waiting' && found.deposits.length > 0) {
        return { outcome: 'waiting', provider_reference: found.id, instructions: account }
      }
      return found ? outcomeOf(found) : { outcome: 'never_received' }
    },
    continue: async (operation: Continuation) => {
      calls.push({ kind: 'continue', operation })
      const payment = find(operation.provider_reference)
      if (!payment) return { outcome: 'refused', code: 338, detail: null }
      const response = operation.returned.answer ?? ''
      if (payment.state === 'waiting' && response !== '') {
        payment.state = response === 'yes' ? 'approved' : 'declined'
      }
      return outcomeOf(payment)
    },
    readNotification: ({ body, headers, credentials }) => {
      const secret = credentials?.reveal().notification_secret ?? acquirer_secret
      const given = Buffer.from(String(headers['acquirer-signature'] ?? ''))
      const right = Buffer.from(sign(secret, body.toString()))
      if (given.length !== right.length || !timingSafeEqual(given, right)) return null
      return [{ provider_reference: JSON.parse(body.toString()).payment }]
    },
  }

  return {
    provider,
    calls,
    payments,
    lose: (kind) => faults.set(kind, 'lost'),
    hang: (kind) => faults.set(kind, 'hangs'),
    delay: (kind) => {
      const { promise: released, resolve: release } = promised<void>()
      const { promise: sent, resolve: noteSent } = promised<void>()
      delays.set(kind, () => {
        noteSent()
        return released
      })
      return { sent, release }
    },
    decide: (id, approved) => {
      const payment = find(id)
      if (payment) payment.state = approved ? 'approved' : 'declined'
    },
    deposit: (id, deposit) => find(id)?.deposits.push(deposit),
    notification: (id, secret = acquirer_secret) => {
      const body = { payment: id }
      const signature = sign(secret, JSON.stringify(body))
      return { body, headers: { 'acquirer-signature': signature } }
    },
  }
}

export const three_ds_result = {
  eci: '05',
  authentication_value: 'AAABBBCCC',
  transaction_id: 'ds-1',
  version: '2.2.0',
}

const account = {
  kind: 'bank_transfer',
  account_id: '7b0e4a52-6a0b-4d0b-9f50-0d9c8f7f2f11',
  bank_code: '0310',
  bank_name: 'Acquirer Bank',
  branch_code: '101',
  branch_name: 'Main',
  account_number: '1234567',
  account_holder_name: 'Acquirer',
} as const
