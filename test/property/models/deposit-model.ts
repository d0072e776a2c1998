import type { MatchAmount } from '../../../src/core/payments/match-amounts.ts'

/**
 * A reference model of a charge that is paid by deposits, as simple as possible. It counts down what is
 * missing, and knows nothing of rows, claims or notifications.
 */
export interface ModelTransfer {
  readonly id: string
  readonly match_amount: MatchAmount
  readonly wanted: number
  readonly ends_ms: number
  status: 'awaiting' | 'successful' | 'failed' | 'canceled'
  error: number | null
  missing: number
  returned: number
  stuck: number
  /** Nothing can be returned to this payer, and the bank then returns nothing of the charge. */
  cursed: boolean
  looked_ms: number
  /** The events since the service last checked. */
  coming: { amount: number; paid_ms: number }[]
  canceling: boolean
  said: 'failed' | 'expired' | null
}

const look_every_ms = 10 * 60_000
const error_of = { failed: 340, expired: 327 }

/** How much of a deposit the charge takes when this much is missing; the rest is returned. */
const takes: Record<MatchAmount, (of: ModelTransfer, amount: number) => number> = {
  exact: ({ wanted }, amount) => (amount === wanted ? wanted : 0),
  minimum: ({ wanted }, amount) => (amount < wanted ? 0 : wanted),
  maximum: ({ missing }, amount) => (amount > missing ? 0 : amount),
  disabled: ({ missing }, amount) => Math.min(amount, missing),
}

export function newTransfer(
  id: string,
  { match_amount, wanted, ends_ms, now_ms }: NewTransfer,
): ModelTransfer {
  return {
    id,
    match_amount,
    wanted,
    ends_ms,
    status: 'awaiting',
    error: null,
    missing: wanted,
    returned: 0,
    stuck: 0,
    cursed: false,
    looked_ms: now_ms,
    coming: [],
    canceling: false,
    said: null,
  }
}

export interface NewTransfer {
  match_amount: MatchAmount
  wanted: number
  ends_ms: number
  now_ms: number
}

/** The amount held for the charge while it waits. */
export function kept({ status, wanted, missing }: ModelTransfer): number {
  return status === 'awaiting' ? wanted - missing : 0
}

export function applied({ status, wanted }: ModelTransfer): number {
  return status === 'successful' ? wanted : 0
}

function sendBack(transfer: ModelTransfer, amount: number): void {
  if (transfer.cursed) transfer.stuck += amount
  else transfer.returned += amount
}

function end(transfer: ModelTransfer, status: 'failed' | 'canceled', error: number | null): void {
  sendBack(transfer, kept(transfer))
  transfer.missing = transfer.wanted
  transfer.status = status
  transfer.error = error
}

function arrive(transfer: ModelTransfer, amount: number, paid_ms: number): void {
  const open = transfer.status === 'awaiting' && paid_ms <= transfer.ends_ms
  const taken = open ? takes[transfer.match_amount](transfer, amount) : 0
  transfer.missing -= taken
  sendBack(transfer, amount - taken)
  if (taken > 0 && transfer.missing === 0) transfer.status = 'successful'
}

function seeDeposit(transfer: ModelTransfer): void {
  for (const { amount, paid_ms } of transfer.coming) arrive(transfer, amount, paid_ms)
  transfer.coming = []
}

/** The service checks the charge: the customer's action counts more than money, and money in time. */
function look(transfer: ModelTransfer, now_ms: number): void {
  transfer.looked_ms = now_ms
  if (transfer.said) end(transfer, 'failed', error_of[transfer.said])
  if (transfer.status !== 'awaiting' || now_ms < transfer.ends_ms) return
  seeDeposit(transfer)
  if (transfer.status === 'awaiting') end(transfer, 'failed', 327)
}

/**
 * Processes everything due: expiries first, then cancels, then notifications. `heard`: notifications
 * come first.
 */
export function workOn(transfer: ModelTransfer, now_ms: number, heard: boolean): void {
  const waits = () => transfer.status === 'awaiting'
  if (heard) seeDeposit(transfer)
  const look_ms = Math.min(transfer.ends_ms, transfer.looked_ms + look_every_ms)
  const due = now_ms >= look_ms || (heard && transfer.said !== null)
  if (waits() && !transfer.canceling && due) look(transfer, now_ms)
  // A payment that its customer ended cannot be canceled any more.
  if (waits() && transfer.canceling && !transfer.said) end(transfer, 'canceled', null)
  transfer.canceling = false
  seeDeposit(transfer)
  if (waits() && transfer.said) look(transfer, now_ms)
  transfer.said = null
}
