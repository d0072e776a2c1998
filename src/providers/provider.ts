import type { Selectable } from 'kysely'
import type { Mode } from '../core/caller.ts'
import type { Sensitive } from '../core/cards/sensitive.ts'
import type { CustomsPlace, CustomsResult } from '../core/customs.ts'
import type { DisputeReason, Evidence, FileType, ReportedDispute } from '../core/disputes.ts'
import type { Instructions } from '../core/instructions.ts'
import type { Circuits } from '../core/limits/circuits.ts'
import type { CallMethod, PaymentType } from '../core/payment-methods.ts'
import type { SettlementLine } from '../core/settlements.ts'
import type { Metadata } from '../core/text/metadata.ts'
import type { Db } from '../store/open-store.ts'
import type { SimulatorOperationTable } from '../store/tables/simulator-tables.ts'
import type { BillingData } from '../store/tables/token-data.ts'

/** The card of an authorization. Its numbers are masked until they are revealed. */
export interface ProviderCard {
  readonly kind: 'card'
  readonly number: Sensitive<string>
  readonly cvv: Sensitive<string> | null
  readonly exp_month: number
  readonly exp_year: number
  readonly cardholder: string
  readonly brand: string
}

/** What is paid with. */
export type Instrument =
  | ProviderCard
  /** The code of a customer's wallet, or the token that the wallet gave the shop. */
  | { readonly kind: 'wallet'; readonly brand: string | null; readonly code: Sensitive<string> }
  | { readonly kind: 'online'; readonly brand: string; readonly call_method: CallMethod }
  | { readonly kind: 'qr'; readonly brand: string }
  | { readonly kind: 'konbini'; readonly convenience_store: string; readonly customer_name: string }
  | { readonly kind: 'bank_transfer'; readonly brand: string }

/** What a provider wants back with every later operation. Only the provider reads it. */
export type ProviderData = Readonly<Record<string, unknown>>

/** What a merchant or store signs in to a provider with. */
export type Credentials = Readonly<Record<string, string>>

export type OperationKind =
  | 'authenticate'
  | 'authorize'
  | 'capture'
  | 'void'
  | 'refund'
  | 'return_deposit'
  | 'declare_customs'

/**
 * One thing that is asked of a provider. The reference is made and stored before the first call, and is
 * the same on every repetition.
 */
export interface Operation {
  readonly merchant_id: string
  readonly store_id: string
  readonly mode: Mode
  readonly reference: string
  /** The payment that the operation belongs to; of a card that is only authenticated, its token. */
  readonly charge_id: string
  readonly amount: number
  readonly currency: string
  /** Of the merchant or store, where the provider needs any. */
  readonly credentials: Sensitive<Credentials> | null
}

/** The result of 3-D Secure, as the card networks name its parts. */
export interface ThreeDsResult {
  readonly eci: string
  /** Also called CAVV. */
  readonly authentication_value: string
  readonly transaction_id: string
  readonly version: string
}

export interface Authorization extends Operation {
  readonly instrument: Instrument
  /** Capture in the same step; otherwise the amount is only held. */
  readonly capture: boolean
  /** Until when the customer can act, where they have to. */
  readonly expires_on: Date | null
  readonly email: string | null
  readonly ip_address: string | null
  readonly billing: BillingData | null
  readonly descriptor: string | null
  readonly descriptor_phone_number: string | null
  readonly merchant_transaction_id: string | null
  readonly metadata: Metadata
  /** `merchant`: the customer is not there; the card was stored in an earlier payment. */
  readonly initiated_by: 'customer' | 'merchant'
  /** Of the first payment with the stored card, where it is known. */
  readonly first_network_transaction_id: string | null
  readonly three_ds: ThreeDsResult | null
  /** Where the provider sends the customer back after they acted on its own page. */
  returnUrl(): string
}

/** A new payment of a card that is still sealed: with what may be shown of it. */
export interface UnopenedPayment
  extends Pick<Authorization, 'mode' | 'reference' | 'currency' | 'email'> {
  readonly card_bin: string
  readonly last_four: string
}

/** 3-D Secure: of a charge, or of a token on its own. */
export interface Authentication extends Operation {
  readonly card: ProviderCard
  /** The cardholder is asked even if the issuer would be satisfied without. */
  readonly force: boolean
  returnUrl(): string
}

/** What the provider said when it took the payment, for everything that comes after. */
export interface Taken {
  /** The provider's own name of the payment. */
  readonly provider_reference: string | null
  readonly authorization_code: string | null
  readonly network_transaction_id: string | null
  readonly provider_data: ProviderData | null
}

/** A capture, void, refund or return of something that the provider has taken. */
export interface FollowUp extends Operation, Taken {}

/** A declaration of a paid charge to customs. */
export interface CustomsOperation extends FollowUp {
  readonly customs: CustomsPlace
  readonly merchant_customs_no: string
  readonly certificate_id: Sensitive<string>
  readonly certificate_name: Sensitive<string>
}

/** An operation whose outcome is asked for. */
export interface InquiryOperation extends Taken {
  readonly kind: OperationKind
  readonly merchant_id: string
  readonly store_id: string
  readonly mode: Mode
  readonly charge_id: string
  readonly reference: string
  /** How the provider calls the operation, where it said so; that of the payment is `provider_reference`. */
  readonly operation_reference: string | null
  readonly credentials: Sensitive<Credentials> | null
}

export type ChargeOfDeposits = Omit<InquiryOperation, 'kind' | 'reference' | 'operation_reference'>

/** A customer came back from the provider's page, with what the provider gave along. */
export interface Continuation extends InquiryOperation {
  readonly returned: Readonly<Record<string, string>>
}

/** What the provider's own log calls the call; for its support, and for the record of operations. */
interface Trace {
  readonly provider_reference?: string | undefined
  readonly request_id?: string | undefined
  /** The answer in the provider's own words. */
  readonly raw_code?: string | undefined
  readonly raw_message?: string | undefined
}

/** What became of an operation. */
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
    | { readonly outcome: 'unknown'; readonly ask_again_ms: number }
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

/** What a merchant answers to a dispute. Repeated with its reference, it has no second effect. */
export interface DisputeResponse extends FollowUp {
  readonly dispute_reference: string
  readonly response: 'evidence' | 'acceptance'
  readonly evidence: Sensitive<Evidence>
  readonly files: readonly {
    readonly name: string
    readonly content_type: FileType
    readonly content: Sensitive<Buffer>
  }[]
}

/** What decides where a new payment goes. */
export interface NewPayment {
  readonly mode: Mode
  readonly payment_type: PaymentType
  readonly brand: string | null
}

/** What a provider can do. What it cannot is refused before it is called. */
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
  /** Whether a void also undoes a payment that was captured at once; if not, it is refunded. */
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

/** What a notification is about: named as we do, or by the provider's reference. */
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

/** What a tester can do in place of the customer, in a transaction. Only simulators have it. */
export interface CustomerActions {
  /** False when nothing waited any more. */
  act(tx: Db, waiting: WaitingOperation, outcome: CustomerOutcome): Promise<boolean>
  /** Money arrives, whatever has become of the charge meanwhile; returns its reference. */
  deposit(tx: Db, payment: TestDeposit): Promise<string>
  /** The customer disputes a payment. */
  dispute(tx: Db, dispute: TestDispute): Promise<ReportedDispute>
  /** The customer's bank decides a dispute; null: it is not known, or was decided before. */
  decideDispute(tx: Db, dispute: TestDecision): Promise<ReportedDispute | null>
}

export interface TestDispute {
  readonly merchant_id: string
  readonly charge_id: string
  readonly amount: number
  readonly currency: string
  readonly reason: DisputeReason
}

export interface TestDecision {
  readonly merchant_id: string
  readonly reference: string
  readonly outcome: 'won' | 'lost'
}

export interface TestDeposit {
  readonly merchant_id: string
  readonly charge_id: string
  readonly amount: number
  readonly currency: string
  readonly name: string | null
}

export const customer_outcomes = ['successful', 'failed', 'expired', 'abandoned'] as const
export type CustomerOutcome = (typeof customer_outcomes)[number]

/** What a payment or a challenge that waits is about. */
export interface WaitingOperation {
  readonly merchant_id: string
  readonly resource_type: 'charge' | 'transaction_token'
  readonly resource_id: string
  /** The operation that waits. */
  readonly reference: string
  readonly kind: 'payment' | 'challenge'
}

/** How long a call may take: its signal is aborted when the answer is not waited for any more. */
export interface CallLimit {
  readonly signal: AbortSignal
  /** Where requests are traced: the W3C header of that name, which a connector sends along. */
  readonly traceparent?: string | undefined
}

/**
 * What a provider has decided that keeps its log in our database, and what its log will say. The statement
 * that settles the charge writes both, or neither.
 */
export interface Decided {
  readonly outcome: Outcome
  readonly entry: Pick<Selectable<SimulatorOperationTable>, 'outcome' | 'traits'>
}

/** What stands behind a payment: a simulator in test mode, a connector in live mode. */
export interface Provider {
  /** Charges keep it: it never changes. */
  readonly name: string
  /** How it is called in the address of its notifications, `/callbacks/{name}`. */
  readonly callback_name: string
  readonly capabilities: Capabilities
  authenticate(operation: Authentication, limit?: CallLimit): Promise<Outcome>
  authorize(operation: Authorization, limit?: CallLimit): Promise<Outcome>
  /**
   * Decides a new authorization without writing it down. It must decide the same again: after a crash
   * nothing is known of it. Null: it is called as usual.
   */
  decide?(operation: Authorization): Decided | null
  /** The same without the number of the card, where that does not matter. Null: the card is opened. */
  decideUnopened?(payment: UnopenedPayment): Decided | null
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
  /** Sends evidence, or gives in. Without it merchants respond on pages of the provider. */
  respondToDispute?(response: DisputeResponse, limit?: CallLimit): Promise<Outcome>
  /**
   * What was settled since then, by the credentials of the installation. Lines may be told again: they are
   * known by their names. Without it the operator imports files.
   */
  settlements?(since: Date, limit?: CallLimit): AsyncIterable<SettlementLine>
  /** What became of an operation whose answer was lost, or that waits for its customer. */
  inquire(operation: InquiryOperation, limit?: CallLimit): Promise<Inquiry>
  /** Goes on after the customer came back; without it, the operation is inquired. */
  continue?(operation: Continuation, limit?: CallLimit): Promise<Outcome>
  /**
   * Verifies a notification and says what it is about; null: it is not the provider's. It is taken as a
   * hint: what became of the payment is asked of the provider. A promise, where a library is loaded first.
   */
  readNotification(notification: RawNotification): ReadNotification | Promise<ReadNotification>
  readonly customer?: CustomerActions
}

/** What can be offered to a customer before a payment; brands may say more as they like. */
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
