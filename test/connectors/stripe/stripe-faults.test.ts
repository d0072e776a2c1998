import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CheckSubject } from '../../../scripts/connector-check/check-subject.ts'
import { runChecks } from '../../../scripts/connector-check/run-checks.ts'
import { openStripeSubject } from '../../../scripts/connector-check/stripe-subject.ts'
import { type StripeDouble, startStripeDouble } from './double/stripe-double.ts'
import type { Fault } from './double/stripe-double-parts.ts'

// The conformance kit with the `stripe` connector and our double, with a fault planted on purpose.
let double: StripeDouble
let subject: CheckSubject

beforeAll(async () => {
  double = await startStripeDouble()
  subject = await openStripeSubject(double)
})
afterAll(() => double.close())

const voucher = 'konbini: instructions, deposits'
const transfer = 'bank_transfer: instructions, deposits'
const returned = 'deposits keep their names, and are returned once after the end'
const dispute = 'reported with its amount; the response counts once'
const accepted = 'its notification names the payment; who accepts it has ended it'
const settled = 'every payment and refund has one line, which keeps its name'

type Planted = Partial<Record<Fault, Readonly<Record<string, string>>>>

/** Faults of the double, and the checks that must see each, with what they say. No two share a check. */
const planted: Readonly<Record<string, Planted>> = {
  'amounts, names and secrets': {
    over_capture: { 'a capture of more than is held is refused': 'approved' },
    over_refund: { 'refunds of more than was captured are refused': 'approved' },
    unmapped_decline: { 'each card of the table is refused with its code': 'not 330' },
    wrong_digits: { 'amounts are in the smallest unit: JPY, USD, KWD': 'unknown' },
    leaks_number: { 'the provider repeats no card number and no secret': 'ends with' },
    signs_wrongly: {
      'verified: also repeated, in another order, and signed with the key before': 'refused',
    },
    hides_codes: { [voucher]: 'unknown, not waiting' },
    renames_deposits: { [returned]: 'changes its name' },
    hides_withdrawal: { [dispute]: 'undefined', [accepted]: 'first acceptance' },
    repeats_pages: { [settled]: 'repeats a page' },
  },
  'states and times': {
    voids_captured: {
      'a void of what was captured is refused, a capture of what was voided too': 'approved',
    },
    skips_challenge: { 'with a challenge: passed, declined, abandoned': 'approved' },
    takes_expired: {
      'a held amount that expired cannot be captured': 'approved',
      'nothing can be paid after the expiry': 'approved after its expiry',
    },
    hides_account: { [transfer]: 'unknown, not waiting', [returned]: 'unknown, not waiting' },
    ignores_evidence: { [dispute]: 'the first response is unknown' },
    ignores_acceptance: { [accepted]: 'the first acceptance is unknown' },
    renames_lines: { [settled]: 'changes its name' },
  },
  'what arrives': {
    hides_payment: { [accepted]: 'does not name the payment' },
    loses_deposits: {
      [voucher]: 'not 1000',
      [transfer]: 'not 300,700',
      [returned]: 'refused with',
    },
  },
}

test.each(Object.entries(planted))('the kit can fail: %s', async (_, faults) => {
  for (const fault of Object.keys(faults) as Fault[]) double.faults.add(fault)
  const failed = (await runChecks(subject)).filter(({ status }) => status === 'failed')
  double.faults.clear()
  const expected: Record<string, string> = Object.assign({}, ...Object.values(faults))
  expect(failed.map(({ title }) => title).toSorted()).toEqual(Object.keys(expected).toSorted())
  for (const { title, detail } of failed) expect(detail).toContain(expected[title])
})
