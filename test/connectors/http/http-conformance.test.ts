import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CheckSubject } from '../../../scripts/connector-check/check-subject.ts'
import {
  type ExampleAcquirer,
  openHttpSubject,
  readHttpSandbox,
  startExampleAcquirer,
} from '../../../scripts/connector-check/http-subject.ts'
import { printResults, runChecks } from '../../../scripts/connector-check/run-checks.ts'
import { temporaryFolder } from '../../support/fleet/running-process.ts'

// The conformance kit with the `http` connector and the example acquirer, in a process of its own.
let acquirer: ExampleAcquirer
let subject: CheckSubject

beforeAll(async () => {
  acquirer = await startExampleAcquirer()
  subject = await openHttpSubject(acquirer)
})
afterAll(() => acquirer.stop())

test('the http connector and the example acquirer pass every check', async () => {
  const results = await runChecks(subject)
  const others = results.filter(({ status }) => status !== 'passed')
  expect(others).toEqual([])
  expect(results.length).toBeGreaterThan(30)
  expect(printResults(results)).toContain(`${results.length} passed, 0 failed`)
})

async function failedWith(fault: string) {
  await acquirer.control('/controls/faults', { faults: [fault] })
  try {
    return (await runChecks(subject)).filter(({ status }) => status === 'failed')
  } finally {
    await acquirer.control('/controls/faults', { faults: [] })
  }
}

/** A fault of the acquirer, and the one check that must see it. */
const faults: [fault: string, title: string, detail?: string][] = [
  ['repeats_authorize', 'authorize, three times with one reference: one effect'],
  ['repeats_capture', 'capture, three times with one reference: one effect'],
  ['repeats_void', 'void, three times with one reference: one effect'],
  ['repeats_refund', 'refund, three times with one reference: one effect'],
  ['over_capture', 'a capture of more than is held is refused'],
  ['over_refund', 'refunds of more than was captured are refused'],
  ['voids_captured', 'a void of what was captured is refused, a capture of what was voided too'],
  [
    'forgets_reference',
    'authorize, capture, void, refund: a lost answer is found by inquiring',
    'the inquiry of the capture is never_received',
  ],
  ['wrong_digits', 'amounts are in the smallest unit: JPY, USD, KWD', 'amount 123, not 1230'],
  ['unmapped_decline', 'each card of the table is refused with its code', '306, not 330'],
  ['skips_challenge', 'with a challenge: passed, declined, abandoned'],
  ['takes_expired', 'nothing can be paid after the expiry'],
  ['renames_deposits', 'deposits keep their names, and are returned once after the end'],
  ['repeats_respond_to_dispute', 'reported with its amount; the response counts once'],
  [
    'repeats_pages',
    'every payment and refund has one line, which keeps its name',
    'repeats a page of its settlements',
  ],
  [
    'renames_lines',
    'every payment and refund has one line, which keeps its name',
    'changes its name',
  ],
  ['accepts_forged', 'a request with a wrong secret has no effect'],
  ['accepts_old', 'a request of ten minutes ago has no effect'],
  ['signs_wrongly', 'verified: also repeated, in another order, and signed with the key before'],
  ['leaks_number', 'the provider repeats no card number and no secret', 'ends with 0053'],
]

test.each(faults)('the kit can fail: %s is seen by "%s"', async (fault, title, detail = '') => {
  const failed = await failedWith(fault)
  expect(failed.map((one) => one.title)).toEqual([title])
  expect(failed[0]?.detail).toContain(detail)
})

test('the kit can fail: a capture and a void that both win are seen at the same time and in sequence', async () => {
  const failed = await failedWith('ignores_state')
  expect(failed.map(({ title, detail }) => [title, detail])).toEqual([
    [
      'a void of what was captured is refused, a capture of what was voided too',
      'the capture of a voided payment is approved, not refused',
    ],
    ['of a capture and a void at the same time, one wins', '2 of both were approved'],
  ])
})

test('a file with the settings alone is enough: what it does not name is not run', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'mine.json')
  writeFileSync(file, JSON.stringify({ settings: acquirer.settings }))
  const results = await runChecks(readHttpSandbox(file))
  expect(results.filter(({ status }) => status === 'failed')).toEqual([])
  const reasons = results.filter(({ status }) => status === 'not run').map(({ detail }) => detail)
  expect(reasons).toContain('The file names no cards for 3-D Secure.')
  expect(reasons).toContain('The file names no declined cards.')
  writeFileSync(file, '{}')
  expect(() => readHttpSandbox(file)).toThrow(`${file} has no settings.`)
  rmSync(folder, { recursive: true })
})

test('without a stand-in, what needs its controls is not run, and says why', async () => {
  const alone = { ...subject, upstream: null, stand_in: null, lacks: { customs: 'It has none.' } }
  const results = await runChecks(alone)
  expect(results.filter(({ status }) => status === 'failed')).toEqual([])
  const not_run = results.filter(({ status }) => status === 'not run')
  expect(new Set(not_run.map(({ detail }) => detail))).toEqual(
    new Set([
      'It has none.',
      'It needs the controls of a stand-in.',
      'The connection to this provider cannot be cut.',
    ]),
  )
  const shaped = await runChecks({ ...alone, proves: 'shape' })
  expect(shaped.find(({ title }) => title.startsWith('held'))?.status).toBe('shape-checked only')
})
