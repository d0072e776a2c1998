import Type, { type Static, type TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { minute_ms, second_ms } from '../core/clock.ts'
import { Instructions } from '../core/instructions.ts'
import { max_amount } from '../core/money.ts'
import type { ArrivedDeposit, Inquiry, Outcome, Provider } from '../providers/provider.ts'
import type { Service } from '../service.ts'

/** An outcome that is not known after this time is no longer waited for. */
export const unknown_bound_ms = 10 * minute_ms
/** How soon a provider that did not answer at all is asked again. */
const no_answer_ms = 10 * second_ms
/** A call that takes longer counts as unanswered; it ends before the lease on its row does. */
const longest_call_ms = 20 * second_ms
const shortest_wait_ms = 100
const longest_wait_ms = minute_ms

/** The row that was claimed to have the operation done. */
interface Claimed {
  readonly merchant_id: string
  readonly id: string
  readonly claims: number
}

/**
 * Sends an operation, or asks what became of it when it may have been sent before: a process may
 * have died between the call and writing down its result. Never inside a transaction.
 */
export async function callProvider(
  service: Service,
  provider: Provider,
  claimed: Claimed,
  reference: string,
  step: 'call' | 'refund' | 'void' | 'customs',
  call: () => Promise<Outcome>,
): Promise<Outcome> {
  service.failpoint(`before provider ${step}`)
  if (claimed.claims > 1) {
    const { merchant_id } = claimed
    const found = await inquiryOf(service, claimed, () =>
      provider.inquire({ merchant_id, reference }),
    )
    if (found.outcome !== 'never_received') return found
  }
  const outcome = await answerOf(service, claimed, call)
  service.failpoint(`after provider ${step}`)
  return outcome
}

/** In the brand's own words: some of them, and short. */
const CustomsAnswer = Type.Optional(
  Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 255 }), {
    maxProperties: 32,
  }),
)

/** Everything a provider may say; anything else is not taken for an answer. */
const answers = [
  Type.Object({ outcome: Type.Literal('approved'), customs: CustomsAnswer }),
  Type.Object({
    outcome: Type.Literal('refused'),
    code: Type.Integer({ minimum: 300, maximum: 699 }),
    detail: Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 500 }),
    customs: CustomsAnswer,
  }),
  Type.Object({ outcome: Type.Literal('waiting'), instructions: Instructions }),
  Type.Object({
    outcome: Type.Literal('unknown'),
    ask_again_ms: Type.Integer({ minimum: 0, maximum: 24 * 60 * minute_ms }),
  }),
] as const
const AnswerToCall = Type.Union([...answers])
const AnswerToInquiry = Type.Union([
  ...answers,
  Type.Object({ outcome: Type.Literal('never_received') }),
])
const Arrived = Type.Array(
  Type.Object({
    reference: Type.String({ format: 'uuid' }),
    amount: Type.Integer({ minimum: 1, maximum: max_amount }),
    currency: Type.String({ pattern: '^[A-Z]{3}$' }),
    paid_on: Type.String({ format: 'date-time' }),
  }),
  { maxItems: 10_000 },
)

const no_answer = { outcome: 'unknown', ask_again_ms: no_answer_ms } as const
type Asking = Pick<Claimed, 'merchant_id' | 'id'>

/** A provider that cannot be reached, or talks nonsense, has not answered: the bound holds for it. */
export async function answerOf(
  service: Service,
  asking: Asking,
  call: () => Promise<Outcome>,
): Promise<Outcome> {
  return (await listen(service, asking, AnswerToCall, call)) ?? no_answer
}

/** The same for a question about an operation, which may never have arrived. */
export async function inquiryOf(
  service: Service,
  asking: Asking,
  ask: () => Promise<Inquiry>,
): Promise<Inquiry> {
  return (await listen(service, asking, AnswerToInquiry, ask)) ?? no_answer
}

/** What has arrived for a charge; null when that is not known. */
export async function depositsOf(
  service: Service,
  asking: Asking,
  ask: () => Promise<ArrivedDeposit[]>,
): Promise<ArrivedDeposit[] | null> {
  const found = await listen(service, asking, Arrived, ask)
  return found?.map((one) => ({ ...one, paid_on: new Date(one.paid_on) })) ?? null
}

const validators = new Map<TSchema, Validator>()

/** Compiled when it is first asked for. */
function isOf<Schema extends TSchema>(schema: Schema, said: unknown): said is Static<Schema> {
  const validator = validators.get(schema) ?? Compile(schema)
  validators.set(schema, validator)
  return validator.Check(said)
}

async function listen<Schema extends TSchema>(
  service: Service,
  { merchant_id, id }: Asking,
  schema: Schema,
  call: () => Promise<unknown>,
): Promise<Static<Schema> | null> {
  try {
    const said = readAnswer(await inTime(call))
    if (!isOf(schema, said)) throw new Error('The provider answered something unknown.')
    return said
  } catch (error) {
    service.log.warn({ err: error, merchant_id, resource_id: id }, 'the provider did not answer')
    return null
  }
}

/** A plain copy, so that what was checked is what is kept; of texts that can be stored. */
function readAnswer(answer: unknown): unknown {
  const text = JSON.stringify(answer)
  // Written as JSON, these are the only ways in which such a text can appear.
  if (text !== undefined && unstorable.test(text)) {
    throw new Error('The provider answered a text that cannot be stored.')
  }
  return text === undefined ? undefined : JSON.parse(text)
}

/** U+0000, and halves of characters, which are written as escapes; after a backslash of its own. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i

/** Whether it was decided; nobody has to act in what is asked of a provider afterwards. */
export function isKnown({ outcome }: Outcome): boolean {
  return outcome === 'approved' || outcome === 'refused'
}

/** When to ask again about what should have been decided at once. */
export function askAfter(outcome: Outcome): number {
  return outcome.outcome === 'unknown' ? outcome.ask_again_ms : no_answer_ms
}

/** No provider holds a worker up: a call without an end would keep every other payment waiting. */
function inTime<T>(call: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`The provider took longer than ${longest_call_ms} ms.`))
    const timer = setTimeout(late, longest_call_ms).unref()
    call()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
}

/** When to ask again: not at once, and not too late, whatever the provider says. */
export function nextQuestion(service: Service, ask_again_ms: number): Date {
  const wait_ms = Math.min(Math.max(ask_again_ms, shortest_wait_ms), longest_wait_ms)
  return new Date(service.clock.now() + wait_ms)
}
