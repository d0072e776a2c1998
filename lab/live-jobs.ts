import { Agent, fetch } from 'undici'
import type { ExampleAcquirer } from '../scripts/connector-check/http-subject.ts'

// Live payments, step by step. Each step has an idempotency key: after a crash it is repeated with the same result.

const plans = [
  'capture',
  'capture and refund',
  'authorize',
  'authorize and capture',
  'authorize and cancel',
  'capture and dispute',
] as const
type Plan = (typeof plans)[number]

export interface Job {
  readonly plan: Plan
  readonly key: string
  /** A process works on it now. */
  is_taken: boolean
  charge_id: string | null
  /** The customer has disputed it. */
  is_disputed: boolean
  /** With a security code, whose key its machine may take along when it dies. */
  readonly has_cvv: boolean
  /** Every step was answered. */
  is_ended: boolean
}

export interface Shop {
  readonly store_id: string
  readonly credentials: readonly string[]
}

const card = {
  cardholder: 'A B',
  card_number: '4532015112830366',
  exp_month: '12',
  exp_year: '2040',
}

/** Ends when the process it is sent to has died: then the job stays as it is. */
class Unanswered extends Error {}
/** The service refuses a step: it would do so for ever. */
class Refused extends Error {}
/** One payment in this many has a security code. */
const one_with_cvv = 8
/** The acquirer reports a dispute this often before it counts as a failure. */
const max_notifications = 200

interface Message {
  readonly body: string
  readonly headers: Record<string, string>
}

/** Calls the service as the shop does: again while it cannot answer yet. */
function newCalls(shop: Shop) {
  const agent = new Agent({ connections: 64 })
  let turn = 0

  async function call(url: string, method: string, path: string, body?: object, key?: string) {
    turn += 1
    const authorization = shop.credentials[turn % shop.credentials.length] ?? ''
    for (;;) {
      const response = await fetch(url + path, {
        method,
        dispatcher: agent,
        headers: {
          authorization,
          'content-type': 'application/json',
          ...(key ? { 'idempotency-key': key } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      }).catch(() => null)
      const text = await response?.text().catch(() => null)
      if (!response || text === null || text === undefined) throw new Unanswered()
      if (response.status < 300) return text === '' ? {} : JSON.parse(text)
      // 409: the try before, with this key, belongs to a process that has died: it is continued in a while.
      const is_later = response.status >= 500 || response.status === 429 || response.status === 409
      if (!is_later) throw new Refused(`${method} ${path}: ${response.status} ${text}`)
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
  }

  async function notify(url: string, { body, headers }: Message): Promise<void> {
    const sent = { method: 'POST', dispatcher: agent, body }
    const typed = { ...headers, 'content-type': 'application/json' }
    await fetch(url, { ...sent, headers: typed }).catch(() => {
      throw new Unanswered()
    })
  }

  return { call, notify, close: () => agent.destroy() }
}
type Calls = ReturnType<typeof newCalls>

/** The disputes of payments, which the customers open at the acquirer. */
function newDisputeSteps(
  { store_id }: Shop,
  { call, notify }: Calls,
  acquirer: ExampleAcquirer,
  connector: string,
) {
  /** The acquirer reports a dispute until we know about it. */
  async function findDispute(url: string, job: Job): Promise<string> {
    const book = await acquirer.control(`/book?charge_id=${job.charge_id}`)
    const payments = (book as { payments: { id: string; kind: string }[] }).payments
    const payment = payments.find(({ kind }) => kind === 'authorize')?.id
    if (!job.is_disputed) await acquirer.control('/controls/dispute', { payment, amount: 300 })
    job.is_disputed = true
    const path = `/callbacks/${connector}`
    for (let tried = 0; tried < max_notifications; tried += 1) {
      const asked = { payment, path }
      const message = (await acquirer.control('/controls/notification', asked)) as Message
      await notify(url + path, message)
      const list = `/stores/${store_id}/disputes?charge_id=${job.charge_id}`
      const { items } = await call(url, 'GET', list)
      if (items[0]) return `/stores/${store_id}/disputes/${items[0].id}`
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
    throw new Refused(`The dispute of ${job.charge_id} did not become known.`)
  }

  async function answerDispute(url: string, job: Job): Promise<void> {
    const path = await findDispute(url, job)
    const body = { evidence: { explanation: 'It was delivered.' }, submit: true }
    await call(url, 'PATCH', path, body, `${job.key}-dispute`)
    for (;;) {
      const { pending_response } = await call(url, 'GET', `${path}?polling=true`)
      if (pending_response === null) return
    }
  }

  return { answerDispute }
}

export function newJobs(
  shop: Shop,
  acquirer: ExampleAcquirer,
  connector: string,
  below: (bound: number) => number,
) {
  const calls = newCalls(shop)
  const { call, close } = calls
  const { answerDispute } = newDisputeSteps(shop, calls, acquirer, connector)
  const jobs: Job[] = []
  const troubles: string[] = []

  const isPending = (status: string) => status === 'pending' || status === 'awaiting'

  async function advance(url: string, job: Job): Promise<void> {
    const { plan, key, has_cvv } = job
    const money = { amount: 1000, currency: 'JPY' }
    if (!job.charge_id) {
      const data = has_cvv ? { ...card, cvv: '123' } : card
      const details = { payment_type: 'card', email: 'a@b.example', data }
      const token = await call(url, 'POST', '/tokens', details, `${key}-token`)
      const capture = plan.startsWith('capture')
      const body = { transaction_token_id: token.id, ...money, capture }
      job.charge_id = (await call(url, 'POST', '/charges', body, `${key}-charge`)).id
    }
    const path = `/stores/${shop.store_id}/charges/${job.charge_id}`
    let { status } = await call(url, 'GET', path)
    while (isPending(status)) ({ status } = await call(url, 'GET', `${path}?polling=true`))
    const follow = async (action: string, body?: object) =>
      call(url, 'POST', `${path}/${action}`, body, `${key}-${action}`)
    if (status === 'error') return
    if (plan === 'capture and refund') await follow('refunds', { amount: 400, currency: 'JPY' })
    if (plan === 'authorize and capture' && status === 'authorized') {
      await follow('capture', { amount: 600, currency: 'JPY' })
    }
    if (plan === 'capture and dispute') await answerDispute(url, job)
    if (plan === 'authorize and cancel') await follow('cancels', {})
  }

  /** The next that is not done; a new one where there is none, if that is wanted. */
  function nextJob(may_begin: boolean): Job | null {
    const begun = jobs.find((job) => !job.is_ended && !job.is_taken)
    if (begun || !may_begin) return begun ?? null
    const plan = plans[below(plans.length)] ?? 'capture'
    const has_cvv = below(one_with_cvv) === 0
    const job = { plan, key: crypto.randomUUID(), has_cvv, ...not_begun }
    jobs.push(job)
    return job
  }

  async function work(url: string, may_begin: boolean): Promise<void> {
    for (let job = nextJob(may_begin); job; job = nextJob(may_begin)) {
      job.is_taken = true
      try {
        await advance(url, job)
        job.is_ended = true
      } catch (error) {
        if (error instanceof Unanswered) return
        if (!(error instanceof Refused)) throw error
        troubles.push(error.message)
        job.is_ended = true
      } finally {
        job.is_taken = false
      }
    }
  }

  return {
    jobs,
    troubles,
    /** Pays until the process does not answer any more. */
    work: (url: string) => work(url, true),
    finishAll: (url: string) => work(url, false),
    close,
  }
}

export type Jobs = ReturnType<typeof newJobs>
const not_begun = { is_taken: false, charge_id: null, is_disputed: false, is_ended: false }
