import type { Mode } from '../core/access/caller.ts'
import type { Sensitive } from '../core/cards/sensitive.ts'
import type { Circuits } from '../core/limits/circuits.ts'
import type { AccountCapabilities } from '../core/payments/account-capabilities.ts'
import type { CustomsResult } from '../core/payments/customs.ts'
import type { ReportedDispute } from '../core/payments/disputes.ts'
import type { Instructions } from '../core/payments/instructions.ts'
import type { PaymentType } from '../core/payments/payment-types.ts'
import type { SettlementLine } from '../core/payments/settlements.ts'
import type { Db } from '../store/tables/db.ts'
import type {
  ApplePayQuestion,
  Authentication,
  Authorization,
  ChargeOfDeposits,
  Continuation,
  Credentials,
  CustomsOperation,
  DisputeResponse,
  FollowUp,
  InquiryOperation,
  ProviderData,
  SettlementsQuestion,
  ThreeDsResult,
} from './provider-operations.ts'
import type { CustomerActions } from './test-customers.ts'

/** The name of the call in the provider's own log; for its support, and for the record of operations. */
interface Trace {
  readonly provider_reference?: string | undefined
  readonly request_id?: string | undefined
  /** The answer in the provider's own words. */
  readonly raw_code?: string | undefined
  readonly raw_message?: string | undefined
}

/** The outcome of an operation. */
export type Outcome = Trace &
  (
    | {
        readonly outcome: 'approved'
        readonly authorization_code?: string | undefined
        readonly network_transaction_id?: string | undefined
        /** Comes back with every later operation of the payment; a capture replaces it. */
        readonly data?: ProviderData | undefined
        readonly three_ds?: ThreeDsResult | undefined
        readonly customs?: CustomsResult | undefined
        /** Decided without a call: nothing is recorded. */
        readonly is_uncalled?: boolean | undefined
      }
    /** Refused for good: 3xx, and 6xx of customs, fail it; 5xx mean trouble on the way. */
    | {
        readonly outcome: 'refused'
        readonly code: number
        readonly detail: string | null
        readonly customs?: CustomsResult | undefined
      }
    /** The customer has to act; a notification comes when that has happened. */
    | {
        readonly outcome: 'waiting'
        readonly instructions: Instructions
        readonly data?: ProviderData | undefined
      }
    /** Not known yet. Ask for the reference again after a while. */
    | {
        readonly outcome: 'unknown'
        readonly ask_again_ms: number
        /** Why, in our words and without any value of the call: a time-out, a status, a shape. */
        readonly reason?: string | undefined
      }
    /**
     * The provider has certainly not received the call and never will: it could not be reached before
     * anything was sent. A new payment may then go to another one, so this is never said after a time-out.
     */
    | {
        readonly outcome: 'not_taken'
        readonly reason: string
        /** The provider can be reached and does not take such payments: others may still go there. */
        readonly is_in_order?: boolean | undefined
      }
  )

export type Inquiry = Outcome | (Trace & { readonly outcome: 'never_received' })

/** Money that came in by itself, as the provider knows it. */
export interface ArrivedDeposit {
  readonly reference: string
  readonly amount: number
  readonly currency: string
  readonly paid_on: Date
  readonly name: string | null
}

/** The facts that decide the route of a new payment. */
export interface NewPayment {
  readonly mode: Mode
  readonly payment_type: PaymentType
  readonly brand: string | null
}

/** The capabilities of a provider, with any account. Other operations are refused before it is called. */
export interface Capabilities {
  readonly modes: readonly Mode[]
  readonly payment_types: readonly PaymentType[]
  /** Of these types, the brands that it takes; null: all of them. */
  readonly brands: readonly string[] | null
  /** Currencies that it takes without conversion. */
  currencies(payment: Pick<NewPayment, 'payment_type' | 'brand'>): readonly string[]
  readonly partial_capture: boolean
  /** More than one capture of an authorization. No charge has more than one today. */
  readonly multiple_captures: boolean
  readonly partial_refund: boolean
  /** For how long after the capture money can go back; null: for ever. */
  readonly refund_window_ms: number | null
  /** Whether a void also undoes an immediately captured payment; if not, it is refunded. */
  readonly void_after_capture: boolean
  /** Whether a call that is repeated with its reference has no second effect and gets the first outcome. */
  readonly repeatable: boolean
  /** By which name it finds an operation again: ours, or only the one that it gave; then it is repeatable. */
  readonly inquires_by: 'our_reference' | 'provider_reference'
  /** Whether it sends notifications; if not, payments that wait are inquired more often. */
  readonly notifications: boolean
  /** Whether payments with a stored card name the first of them. */
  readonly network_transaction_ids: boolean
  /** Whether merchants have credentials of their own there. */
  readonly credentials: boolean
}

/**
 * The subject of a notification: named as we do, or by the provider's reference. That reference finds only
 * undecided payments: a dispute comes long after, and names its charge as we do.
 */
export type Notified =
  | {
      readonly merchant_id: string
      readonly resource_type: 'charge' | 'transaction_token'
      readonly resource_id: string
    }
  | { readonly provider_reference: string }

export type ReadNotification = readonly Notified[] | null

export interface RawNotification {
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly now_ms: number
  /** Of the merchant whose address was called, where it was one. */
  readonly credentials: Sensitive<Credentials> | null
}

/** How long a call may take: its signal is aborted when the answer is not waited for any more. */
export interface CallLimit {
  readonly signal: AbortSignal
  /** Where requests are traced: the W3C header of that name, which a connector sends along. */
  readonly traceparent?: string | undefined
}

/** The provider of a payment: a simulator in test mode, a connector in live mode. */
export interface Provider {
  /** Charges keep it: it never changes. */
  readonly name: string
  /** How it is called in the address of its notifications, `/callbacks/{name}`. */
  readonly callback_name: string
  readonly capabilities: Capabilities
  /**
   * Asks what an account takes of these capabilities. The answer is stored, and decides what is offered and
   * where payments go. Throws when there is none. Without it every account takes all of them.
   */
  accountCapabilities?(
    credentials: Sensitive<Credentials> | null,
    limit?: CallLimit,
  ): Promise<AccountCapabilities>
  authenticate(operation: Authentication, limit?: CallLimit): Promise<Outcome>
  authorize(operation: Authorization, limit?: CallLimit): Promise<Outcome>
  capture(operation: FollowUp, limit?: CallLimit): Promise<Outcome>
  /** Releases an authorization that was not captured, or ends one that waits for its customer. */
  void(operation: FollowUp, limit?: CallLimit): Promise<Outcome>
  refund(operation: FollowUp, limit?: CallLimit): Promise<Outcome>
  /** Sends a deposit, or a part of it, back to its payer. */
  returnDeposit(operation: FollowUp, limit?: CallLimit): Promise<Outcome>
  /** Declares a charge; with another reference, what was declared is replaced. */
  declareCustoms(operation: CustomsOperation, limit?: CallLimit): Promise<Outcome>
  /** Money that has arrived for a charge so far. */
  deposits(charge: ChargeOfDeposits, limit?: CallLimit): Promise<ArrivedDeposit[]>
  /** Every dispute of a payment. Without it the provider knows none, or reports them in another way. */
  disputes?(charge: ChargeOfDeposits, limit?: CallLimit): Promise<readonly ReportedDispute[]>
  /** The merchant session that Apple gives for a page; throws without one. Of providers that take it. */
  applePaySession?(question: ApplePayQuestion, limit?: CallLimit): Promise<object>
  /** Sends evidence, or gives in. Without it merchants respond on pages of the provider. */
  respondToDispute?(response: DisputeResponse, limit?: CallLimit): Promise<Outcome>
  /**
   * The settlements of an account since then. Lines may be repeated: they are recognised by their names.
   * Throws when the provider does not respond. Without it the operator imports files.
   */
  settlements?(question: SettlementsQuestion): AsyncIterable<SettlementLine>
  /** The outcome of an operation whose response was lost, or that waits for its customer. */
  inquire(operation: InquiryOperation, limit?: CallLimit): Promise<Inquiry>
  /** Continues after the customer came back; without it, the operation is inquired. */
  continue?(operation: Continuation, limit?: CallLimit): Promise<Outcome>
  /**
   * Verifies a notification and returns its subject; null if it is not from the provider. It is a hint: the
   * outcome of the payment is requested from the provider. A promise, where a library is loaded first.
   */
  readNotification(notification: RawNotification): ReadNotification | Promise<ReadNotification>
  readonly customer?: CustomerActions
}

/** The offers to a customer before a payment; brands may add fields of their own. */
export interface CheckoutQuestion {
  /** Where pictures of brands are served. */
  readonly logos_url: string
  readonly amount: number
  readonly currency: string
  readonly call_method: string
  readonly os_type: string | null
}

/** A connector that is configured in this installation. */
export interface Connector {
  /** Payments with the settings of the installation name it as their account. */
  readonly id: string
  readonly has_settings: boolean
  /** The capabilities of the installation's account; null: never requested, or no response. */
  readonly takes: AccountCapabilities | null
  /** It takes no new payments. */
  readonly is_disabled: boolean
}

/** The providers of a service. */
export interface Providers {
  /** Simulators, and connectors in the order of their creation; also those that take no new payments. */
  readonly all: readonly Provider[]
  /** Connectors by name. */
  readonly connectors: ReadonlyMap<string, Connector>
  readonly circuits: Circuits
  /** Reads the connectors again: a process does it at its start, and when it hears of a change. */
  refresh(db?: Db): Promise<void>
  /** Asks a gateway what it can offer. The answer is not to be trusted in any way. */
  checkoutInfo(gateway: string, question: CheckoutQuestion): Promise<unknown>
}
