import { day_ms, hour_ms, minute_ms, second_ms } from '../time/clock.ts'

/**
 * How long work is claimed for, how long an answer is waited for, and when it is tried again. The
 * policy of webhook deliveries stands beside this one in `delivery-policy.ts`.
 */

/** Due rows and the loops that claim them. */
export const worker_policy = {
  /** A claimed row is due again after this time: a process that died with it holds up nothing. */
  lease_ms: 30 * second_ms,
  /** How often each kind is polled when nothing wakes its loop. */
  poll_ms: second_ms,
  /** How long a loop pauses after its statement failed. */
  pause_after_fault_ms: 2 * second_ms,
  /** When a row is due again whose step ended because the database was away. */
  after_outage_ms: 2 * second_ms,
  /** How long a loop waits for more slots, or more rows, before it claims again. */
  gather_ms: 5,
  /** How long a loop waits before it works again on all there is, with one statement for many rows. */
  together_ms: 20,
  /** A kind that deletes old rows rests for this multiple of its statement's duration. */
  rest_factor: 3,
  /** How long giving claimed rows back may take when the process stops. */
  give_back_ms: 500,
} as const

/** Dropping large tables. */
export const drop_policy = {
  /** Between two statements that each empty a few pages. */
  pause_ms: 20,
  /** Between two steps of several megabytes each, so that they write little to the log. */
  rest_ms: 5 * second_ms,
  /** A table whose rows an old snapshot keeps for this long is dropped in one step. */
  max_wait_ms: hour_ms,
} as const

/** Calls of payment providers. */
export const provider_policy = {
  /**
   * All calls of one claim have this time together. It is shorter than the lease by what writing the
   * result may take, so that no other worker claims the row while its provider is being called.
   */
  claim_ms: 20 * second_ms,
  /** The delay before the next inquiry at a provider that did not respond. */
  no_response_ms: 10 * second_ms,
  /** A provider that says when to ask again is held to these bounds. */
  min_wait_ms: 100,
  max_wait_ms: minute_ms,
  /** For a deposit that goes back: it may wait for its payer, or for the end of the payment. */
  max_return_wait_ms: hour_ms,
  /** The longest wait that a provider can request. */
  max_named_wait_ms: day_ms,
  /** An outcome that is unknown for so long is no longer waited for. */
  unknown_bound_ms: 10 * minute_ms,
  /** When an operation is tried again whose provider is not configured any more. */
  missing_provider_ms: minute_ms,
  /** How often a payment that waits for its customer is inquired: it makes up for a lost notification. */
  inquire_every_ms: 10 * minute_ms,
  /** The same at providers that send no notifications. */
  inquire_without_notifications_ms: minute_ms,
  /** The same while a test clock is moved, which stops at each of these moments. */
  inquire_every_moving_ms: day_ms,
} as const

/** Circuit breakers of connectors, per process and account. */
export const circuit_policy = {
  /** The circuit opens after this many new payments in a row without a response, within this time. */
  max_failures: 5,
  window_ms: minute_ms,
  /** The pause after which one payment is tried. */
  open_ms: 10 * second_ms,
  /** A probe that takes longer counts as lost, and its claim expires. */
  max_probe_ms: 30 * second_ms,
} as const

/** Caching of routing rules. */
export const routing_policy = {
  /** How long cached rules and accounts are used after it is known that no message about them was missed. */
  max_age_ms: 2 * second_ms,
  /** The maximum number of connectors that a payment tries, one after the other. */
  max_candidates: 5,
  /** With less time left, a payment goes to its next connector with the next claim. */
  min_call_ms: 5 * second_ms,
  /** How long the test call of a connector may take. */
  test_ms: 20 * second_ms,
} as const

/** Questions to providers what an account takes. */
export const capability_policy = {
  /** It is asked again after as long as its answer has been the same, within these bounds. */
  min_wait_ms: 5 * minute_ms,
  max_wait_ms: 30 * minute_ms,
  /** Sooner, when it did not take a payment that it should have; so long after the last question at least. */
  min_pause_ms: 10 * second_ms,
  /** How long an answer is waited for. */
  response_ms: 10 * second_ms,
} as const

/** A security code whose key is on another machine: how long that machine has to claim the charge. */
export const cvv_policy = { wait_ms: 30 * second_ms, look_again_ms: second_ms } as const

/** Notifications of payment providers. */
export const notification_policy = {
  /** The delay before an undecided payment is checked again, because its response may still arrive. */
  look_again_ms: second_ms,
  /** When a notification is taken up again whose payment is being authorized. */
  pending_ms: second_ms,
} as const

/** Mails: the wait doubles with every attempt. */
export const mail_policy = {
  first_wait_ms: 10 * second_ms,
  max_wait_ms: 10 * minute_ms,
  /** The subject of a mail ends then: its link no longer works. */
  give_up_ms: hour_ms,
} as const

/** A commit whose answer was lost: the database is asked what became of it. */
export const commit_policy = { max_questions: 20, ask_again_ms: 100 } as const

/** A gateway that is asked what it can offer, while a request waits. */
export const gateway_policy = { timeout_ms: 5 * second_ms } as const

/** The search for the primary among several hosts of a database. */
export const primary_search_policy = {
  /** How long a host may take to let us in, and then to say what it is. */
  response_ms: 2 * second_ms,
  /** When a host that is no primary is asked again, while another one does not answer. */
  ask_again_ms: 200,
} as const
