import Type, { type Static, type TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { derivedId, isUuid } from '../../core/ids.ts'
import { provider_policy } from '../../core/limits/retry-policies.ts'
import { childOf, type TraceContext, writeTraceparent } from '../../core/log/trace-context.ts'
import { max_amount } from '../../core/money/money.ts'
import { dispute_reasons, type ReportedDispute } from '../../core/payments/disputes.ts'
import { Instructions } from '../../core/payments/instructions.ts'
import { statesOf } from '../../core/payments/states.ts'
import { second_ms } from '../../core/time/clock.ts'
import type { Deadline } from '../../core/time/deadline.ts'
import type {
  ArrivedDeposit,
  CallLimit,
  Inquiry,
  Outcome,
  Provider,
} from '../../providers/provider.ts'
import type { ProviderCall, Service } from '../../service.ts'

const Text = (max: number) => Type.Optional(Type.String({ maxLength: max }))

/** In the brand's own words: some of them, and short. */
const CustomsResponse = Type.Optional(
  Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 255 }), {
    maxProperties: 32,
  }),
)
const Data = Type.Optional(Type.Record(Type.String({ maxLength: 64 }), Type.Unknown()))
const ThreeDs = Type.Object({
  eci: Type.String({ maxLength: 8 }),
  authentication_value: Type.String({ maxLength: 255 }),
  transaction_id: Type.String({ maxLength: 64 }),
  version: Type.String({ maxLength: 16 }),
})

const trace = {
  provider_reference: Text(255),
  request_id: Text(255),
  raw_code: Text(64),
  raw_message: Text(500),
}

/** Everything a provider may answer; anything else is no answer. */
const responses = [
  Type.Object({
    ...trace,
    outcome: Type.Literal('approved'),
    authorization_code: Text(64),
    network_transaction_id: Text(64),
    data: Data,
    three_ds: Type.Optional(ThreeDs),
    customs: CustomsResponse,
    is_uncalled: Type.Optional(Type.Boolean()),
  }),
  Type.Object({
    ...trace,
    outcome: Type.Literal('refused'),
    code: Type.Integer({ minimum: 300, maximum: 699 }),
    detail: Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 500 }),
    customs: CustomsResponse,
  }),
  Type.Object({
    ...trace,
    outcome: Type.Literal('waiting'),
    instructions: Instructions,
    data: Data,
  }),
  Type.Object({
    ...trace,
    outcome: Type.Literal('unknown'),
    ask_again_ms: Type.Integer({ minimum: 0, maximum: provider_policy.max_named_wait_ms }),
    reason: Text(500),
  }),
  Type.Object({
    ...trace,
    outcome: Type.Literal('not_taken'),
    reason: Type.String({ maxLength: 500 }),
    is_in_order: Type.Optional(Type.Boolean()),
  }),
] as const
const ResponseToCall = Type.Union([...responses])
const ResponseToInquiry = Type.Union([
  ...responses,
  Type.Object({ ...trace, outcome: Type.Literal('never_received') }),
])
const Arrived = Type.Array(
  Type.Object({
    reference: Type.String({ minLength: 1, maxLength: 255 }),
    amount: Type.Integer({ minimum: 1, maximum: max_amount }),
    currency: Type.String({ pattern: '^[A-Z]{3}$' }),
    paid_on: Type.String({ format: 'date-time' }),
    name: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 255 })),
  }),
  { maxItems: 10_000 },
)

const Disputes = Type.Array(
  Type.Object({
    reference: Type.String({ minLength: 1, maxLength: 255 }),
    status: Type.Enum(statesOf('dispute')),
    reason: Type.Enum([...dispute_reasons]),
    amount: Type.Integer({ minimum: 1, maximum: max_amount }),
    fee_amount: Type.Integer({ minimum: 0, maximum: max_amount }),
    currency: Type.String({ pattern: '^[A-Z]{3}$' }),
    respond_by: Type.String({ format: 'date-time' }),
  }),
  { maxItems: 100 },
)

/** A claimed row that needs an operation, the provider, and the deadline of its calls. */
export interface Attempt {
  readonly provider: Provider
  readonly row: { readonly merchant_id: string; readonly id: string; readonly claims: number }
  readonly deadline: Deadline
}

type CalledFor = ProviderCall['operation']

/** Why a call has no answer, in words that may be stored and shown. */
class NoResponse extends Error {}

function noResponse(error: Error) {
  const reason =
    error instanceof NoResponse ? error.message : 'The connector failed; the log says why.'
  return { outcome: 'unknown', ask_again_ms: provider_policy.no_response_ms, reason } as const
}

type Call<T> = (limit: CallLimit) => Promise<T>

/** A provider that cannot be reached, or answers nonsense, has not answered: the bound holds for it. */
export async function responseOf(
  service: Service,
  attempt: Attempt,
  operation: CalledFor,
  call: Call<Outcome>,
): Promise<Outcome> {
  return readResponse(service, attempt, operation, ResponseToCall, call).catch(noResponse)
}

/** The results of an inquiry: an operation that did not arrive has no outcome. */
export type Found = Exclude<Inquiry, { outcome: 'not_taken' }>

/** The same for an inquiry about an operation, which may never have arrived. */
export async function inquiryResponseOf(
  service: Service,
  attempt: Attempt,
  call: Call<Inquiry>,
): Promise<Found> {
  const found = await readResponse(service, attempt, 'inquire', ResponseToInquiry, call).catch(
    noResponse,
  )
  return found.outcome === 'not_taken' ? noResponse(new NoResponse(found.reason)) : found
}

/** The money that has arrived for a charge; null when that is unknown. A provider's own names become ids. */
export async function depositsOf(
  service: Service,
  attempt: Attempt,
  charge_id: string,
  call: Call<ArrivedDeposit[]>,
): Promise<ArrivedDeposit[] | null> {
  const found = await readResponse(service, attempt, 'deposits', Arrived, call).catch(() => null)
  if (!found) return null
  return found.map((one) => ({
    ...one,
    reference: isUuid(one.reference) ? one.reference : derivedId(charge_id, one.reference),
    paid_on: new Date(one.paid_on),
    name: one.name ?? null,
  }))
}

/** The disputes of a charge; null when they are not known. */
export async function disputesReported(
  service: Service,
  attempt: Attempt,
  call: Call<readonly ReportedDispute[]>,
): Promise<ReportedDispute[] | null> {
  const found = await readResponse(service, attempt, 'disputes', Disputes, call).catch(() => null)
  return found?.map((one) => ({ ...one, respond_by: new Date(one.respond_by) })) ?? null
}

const validators = new Map<TSchema, Validator>()

/** Compiled when it is first asked for. */
function isOf<Schema extends TSchema>(schema: Schema, said: unknown): said is Static<Schema> {
  const validator = validators.get(schema) ?? Compile(schema)
  validators.set(schema, validator)
  return validator.Check(said)
}

/** Rejects when there is no valid answer; that was logged and observed. */
async function readResponse<Schema extends TSchema>(
  service: Service,
  attempt: Attempt,
  operation: CalledFor,
  schema: Schema,
  call: Call<unknown>,
): Promise<Static<Schema>> {
  const { row, deadline } = attempt
  const { merchant_id, id } = row
  const began_ms = service.wall_clock.monotonic()
  const { traces } = service.observers
  const span = traces && childOf(traces.contextOf(id))
  try {
    const said = copyOf(await inTime(deadline, call, span))
    if (!isOf(schema, said)) throw new NoResponse('The answer has a wrong shape.')
    observeResponse(service, attempt, operation, said as AnyResponse, began_ms, span)
    return said
  } catch (error) {
    observeResponse(service, attempt, operation, null, began_ms, span)
    service.log.warn({ err: error, merchant_id, resource_id: id }, 'the provider did not answer')
    throw error
  }
}

type AnyResponse = Inquiry | readonly unknown[]

/** Reports a call to the observers of the service. */
function observeResponse(
  { observers, wall_clock }: Service,
  { provider: { name: provider }, row: { id } }: Attempt,
  operation: CalledFor,
  said: AnyResponse | null,
  began_ms: number,
  span: TraceContext | null,
): void {
  const { onProviderCall, traces } = observers
  if (!onProviderCall && !traces) return
  const seconds = (wall_clock.monotonic() - began_ms) / second_ms
  const response = said !== null && 'outcome' in said ? said : null
  const outcome = response?.outcome ?? (said === null ? 'none' : 'answered')
  const code = response?.outcome === 'refused' ? response.code : null
  onProviderCall?.({ provider, operation, outcome, code, seconds })
  if (!traces) return
  const begun = traces.contextOf(id)
  traces.record({
    name: `${operation} ${provider}`,
    kind: 'client',
    context: span ?? childOf(begun),
    parent_span_id: begun.span_id,
    ended_ms: wall_clock.now(),
    duration_ms: seconds * second_ms,
    has_failed: outcome === 'none',
    attributes: {
      'kaikei.provider': provider,
      'kaikei.operation': operation,
      'kaikei.outcome': outcome,
      'kaikei.error_code': code ?? undefined,
      'kaikei.resource_id': id,
    },
  })
}

/** The maximum size of a provider's response, with all references that it wants back later. */
const max_response_length = 2 ** 20

/** A plain copy, so that what was checked is what is kept; of texts that can be stored. */
function copyOf(response: unknown): unknown {
  const text = JSON.stringify(response)
  if (text === undefined) return undefined
  if (text.length > max_response_length) throw new NoResponse('The answer is too long.')
  // Written as JSON, these are the only ways in which such a text can appear.
  if (unstorable.test(text)) throw new NoResponse('The answer has a text that cannot be stored.')
  return JSON.parse(text)
}

/** U+0000, and halves of characters, which are written as escapes; after a backslash of its own. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i

/** The signal is made when it is first read: it costs more than the rest of a simulated call. */
class LazyLimit implements CallLimit {
  #controller: AbortController | null = null
  readonly #span: TraceContext | null

  constructor(span: TraceContext | null) {
    this.#span = span
  }

  get traceparent(): string | undefined {
    return this.#span ? writeTraceparent(this.#span) : undefined
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    return this.#controller.signal
  }

  end(): void {
    this.#controller?.abort()
  }
}

/** No provider holds a worker up: a call without an end would keep every other payment waiting. */
function inTime<T>(deadline: Deadline, call: Call<T>, span: TraceContext | null): Promise<T> {
  const left_ms = deadline.left_ms()
  if (left_ms <= 0) return Promise.reject(new NoResponse('There was no time left for the call.'))
  return new Promise((resolve, reject) => {
    const limit = new LazyLimit(span)
    const timer = setTimeout(() => {
      reject(new NoResponse(`There was no answer within ${Math.round(left_ms)} ms.`))
      limit.end()
    }, left_ms).unref()
    call(limit)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
}
