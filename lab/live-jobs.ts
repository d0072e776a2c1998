import { Agent, fetch } from 'undici'

// Live payments, step by step. Each step has an idempotency key: after a crash it is repeated with the same result.

const plans = [
  'capture',
  'capture and refund',
  'authorize',
  'authorize and capture',
  'authorize and cancel',
] as const
type Plan = (typeof plans)[number]

export interface Job {
  readonly plan: Plan
  readonly key: string
  /** A process works on it now. */
  is_taken: boolean
  charge_id: string | null
  /** The step after the charge was answered. */
  is_followed: boolean
}

export interface Shop {
  readonly store_id: string
  readonly credentials: readonly string[]
}

/** Without a security code: its key dies with the machine that sealed it, and the payment ends with an error. */
const card = {
  cardholder: 'A B',
  card_number: '4532015112830366',
  exp_month: '12',
  exp_year: '2040',
}

/** Ends when the process it is sent to has died: then the job stays as it is. */
class Unanswered extends Error {}

export function newJobs(shop: Shop, below: (bound: number) => number) {
  const agent = new Agent({ connections: 64 })
  const jobs: Job[] = []
  const troubles: string[] = []
  let turn = 0

  async function call(url: string, method: string, path: string, body?: object, key?: string) {
    turn += 1
    const authorization = shop.credentials[turn % shop.credentials.length] ?? ''
    for (;;) {
      const answer = await fetch(url + path, {
        method,
        dispatcher: agent,
        headers: {
          authorization,
          'content-type': 'application/json',
          ...(key ? { 'idempotency-key': key } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      }).catch(() => null)
      const text = await answer?.text().catch(() => null)
      if (!answer || text === null || text === undefined) throw new Unanswered()
      if (answer.status < 300) return text === '' ? {} : JSON.parse(text)
      // 409: the try before, with this key, belongs to a process that has died: it is continued in a while.
      const is_later = answer.status >= 500 || answer.status === 429 || answer.status === 409
      if (!is_later) troubles.push(`${method} ${path}: ${answer.status} ${text}`)
      if (!is_later) throw new Unanswered()
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
  }

  const isPending = (status: string) => status === 'pending' || status === 'awaiting'

  async function advance(url: string, job: Job): Promise<void> {
    const { plan, key } = job
    const money = { amount: 1000, currency: 'JPY' }
    if (!job.charge_id) {
      const details = { payment_type: 'card', email: 'a@b.example', data: card }
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
    if (plan === 'capture and refund') await follow('refunds', { amount: 400, currency: 'JPY' })
    if (plan === 'authorize and capture' && status === 'authorized') {
      await follow('capture', { amount: 600, currency: 'JPY' })
    }
    if (plan === 'authorize and cancel') await follow('cancels', {})
    job.is_followed = true
  }

  /** The next that is not done; a new one where there is none, if that is wanted. */
  function nextJob(may_begin: boolean): Job | null {
    const begun = jobs.find((job) => !job.is_followed && !job.is_taken)
    if (begun || !may_begin) return begun ?? null
    const plan = plans[below(plans.length)] ?? 'capture'
    const job = { plan, key: crypto.randomUUID(), ...not_begun }
    jobs.push(job)
    return job
  }

  async function work(url: string, may_begin: boolean): Promise<void> {
    for (let job = nextJob(may_begin); job; job = nextJob(may_begin)) {
      job.is_taken = true
      try {
        await advance(url, job)
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error
        return
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
    close: () => agent.destroy(),
  }
}

export type Jobs = ReturnType<typeof newJobs>
const not_begun = { is_taken: false, charge_id: null, is_followed: false }
