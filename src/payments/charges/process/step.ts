import type { Updateable } from 'kysely'
import type { ChargeError } from '../../../core/payments/charge-errors.ts'
import type { Outcome } from '../../../providers/provider.ts'
import type { Authorization, Instrument } from '../../../providers/provider-operations.ts'
import type { ChargeAttempt, Service } from '../../../service.ts'
import type { RouteCandidate } from '../../../store/tables/payments/provider-tables.ts'
import type { ChargeTable } from '../../../store/tables/tables.ts'
import type { OperationRecord } from '../../provider-calls/record-operations.ts'
import type {
  Answered,
  Call,
  NeverReceived,
  Question,
  Recorded,
} from '../../provider-calls/run-operation.ts'
import type { StoreRules } from '../../store-rules/store-rules.ts'
import type { Token } from '../../tokens/token.ts'
import type { Charge } from '../charge.ts'
import type { Settlement } from '../settle/settle-charge.ts'

/** The data read to create a charge, when it was created just now. */
export interface ChargeContext {
  readonly token: Token
  readonly rules: StoreRules
}

/** The reason a charge is called for. */
export type Purpose =
  | 'authorize'
  /** The customer may have acted, or the deadline has passed. */
  | 'await'
  /** The deadline has passed: the payment is reversed. */
  | 'withdraw'
  /** It was withdrawn: money paid in time still counts. */
  | 'close'
  /** It is captured, on request or by plan, or its hold has run out. */
  | 'capture'
  /** The capture was refused: the hold is released. */
  | 'release'
  /** Its outcome did not become known, or became known too late. */
  | 'reverse'

/** A claimed charge in progress: the reason for its call, and the results of earlier calls. */
export interface Step extends ChargeAttempt {
  readonly purpose: Purpose
  readonly context?: ChargeContext | undefined
  readonly known: Known
}

/** The results of calls in the same claim; they are not stored. */
export interface Known {
  /** The provider has not received the authorization. */
  readonly is_unsent?: true
  readonly opened?: Opened
  readonly passed?: Passed
  /** Why the capture was refused. */
  readonly refusal?: ChargeError
  readonly withdrawal?: Outcome
  readonly reversal?: KnownReversal
}

/** The instrument that pays. */
export interface Opened {
  readonly instrument: Instrument
  readonly token: Token
  readonly credentials: Authorization['credentials']
}

/** Nothing stands in the way of the payment; the result of 3-D Secure, where there is one. */
export interface Passed {
  readonly three_ds: Authorization['three_ds']
  /** The record of the authentication, which is written with that of the payment. */
  readonly record?: OperationRecord
}

export interface KnownReversal {
  /** The approval came after the end of the charge: it is undone once more. */
  readonly is_late?: true
  /** The charge with the provider's name for it. */
  readonly named?: Charge
  /** The provider does not void it. */
  readonly is_unvoidable?: true
}

/** The step with its call; or with what is decided without one. */
export type Prepared =
  | { readonly step: Step; readonly call: Call }
  | { readonly step: Step; readonly question: Question }
  | { readonly step: Step; readonly said: Recorded }

export type Said = Answered | Recorded | NeverReceived

/** The changes that follow from an outcome. */
export type Change =
  /** `late`: the charge with what was approved; if it has ended meanwhile, that is undone. */
  | { readonly do: 'settle'; readonly settlement: Settlement; readonly late?: Charge }
  /** The outcome is unknown. */
  | {
      readonly do: 'ask_again'
      readonly after_ms: number
      readonly said?: Answered | Recorded
      readonly keeps_name?: true
    }
  /** The intended action is stored before the provider is called, unless another action has begun. */
  | {
      readonly do: 'begin'
      readonly changes: Updateable<ChargeTable>
      readonly said?: Answered
      /** The customer has not acted in time. */
      readonly waited?: Answered | Recorded
    }
  /** The customer has not acted yet. */
  | { readonly do: 'wait'; readonly said: Answered | Recorded; readonly until: Date }
  /** The charge is due again; `changes`: with these. */
  | { readonly do: 'look_again'; readonly changes: Updateable<ChargeTable> }
  /** The provider has certainly not taken it: the next one of its route is called. */
  | { readonly do: 'fall_back'; readonly said: Answered | Recorded; readonly to: RouteCandidate }
  /** Nothing is written: the next call follows. */
  | { readonly do: 'go_on'; readonly step: Step }
  /** The claim expires. */
  | { readonly do: 'nothing' }

/** Each purpose: its request, and the consequences of the response. Null: there is nothing to do. */
export interface Room {
  prepare(service: Service, step: Step): Promise<Prepared | null>
  classify(service: Service, step: Step, said: Said): Change
}

/** The next action of a charge, according to its row. */
export function purposeOf(charge: Charge): Purpose | null {
  const { status, pending_action } = charge
  if (pending_action === 'reverse') return 'reverse'
  if (status === 'pending') return 'authorize'
  if (pending_action === 'cancel') return null
  if (status === 'authorized') return 'capture'
  if (status !== 'awaiting') return null
  if (pending_action === 'expire') return 'withdraw'
  return charge.three_ds_passed_on ? 'authorize' : 'await'
}

/** The next call of the same claim, with the charge as it is now. */
export function nextStep(step: Step, row: Charge, known: Known = {}): Step | null {
  const purpose = purposeOf(row)
  return purpose && { ...step, purpose, row, known }
}
