import { expect, test } from 'vitest'
import { newCircuits } from './circuits.ts'
import { circuit_policy } from './retry-policies.ts'

const { max_failures, window_ms, open_ms, max_probe_ms } = circuit_policy

function newTimed() {
  const time = { ms: 1000 }
  const circuits = newCircuits(() => time.ms)
  const call = (is_answered: boolean, account: string | null = null) => {
    const end = circuits.begin('a', account)
    end?.(is_answered ? 'answered' : 'failed')
    return end !== null
  }
  const fail = (count: number) => {
    for (let failed = 0; failed < count; failed += 1) call(false)
  }
  return { time, circuits, call, fail }
}

test('consecutive failures open a circuit, and an answer in between keeps it closed', () => {
  const { circuits, call, fail } = newTimed()
  fail(max_failures - 1)
  expect(call(true)).toBe(true)
  fail(max_failures - 1)
  expect(circuits.isOpen('a', null)).toBe(false)
  fail(1)
  expect(circuits.isOpen('a', null)).toBe(true)
  expect(call(true)).toBe(false)
  expect([...circuits.open()]).toEqual([['a', 1]])
})

test('failures that are far apart do not open it', () => {
  const { circuits, time, fail } = newTimed()
  fail(max_failures - 1)
  time.ms += window_ms + 1
  fail(1)
  expect(circuits.isOpen('a', null)).toBe(false)
})

test('an open circuit lets one probe pass: its answer closes it, its failure opens it again', () => {
  const { circuits, time, call, fail } = newTimed()
  fail(max_failures)
  time.ms += open_ms
  const probe = circuits.begin('a', null)
  expect(probe).not.toBeNull()
  expect(circuits.begin('a', null)).toBeNull()
  probe?.('failed')
  time.ms += open_ms - 1
  expect(call(true)).toBe(false)
  time.ms += 1
  expect(call(true)).toBe(true)
  expect(circuits.open().size).toBe(0)
})

test('a call that began before does not keep it open for longer, and a lost probe is replaced', () => {
  const { circuits, time, fail, call } = newTimed()
  const late = circuits.begin('a', null)
  fail(max_failures)
  time.ms += open_ms - 1
  late?.('failed')
  time.ms += 1
  expect(circuits.begin('a', null)).not.toBeNull()
  expect(call(true)).toBe(false)
  time.ms += max_probe_ms
  expect(call(true)).toBe(true)
})

test('a response that may not come from the provider proves nothing', () => {
  const { circuits, time, fail, call } = newTimed()
  fail(max_failures - 1)
  circuits.begin('a', null)?.('no_proof')
  fail(1)
  expect(call(true)).toBe(false)
  time.ms += open_ms
  circuits.begin('a', null)?.('no_proof')
  expect(circuits.open().size).toBe(1)
  expect(call(true)).toBe(true)
  expect(circuits.open().size).toBe(0)
})

test('each account has its own circuit', () => {
  const { circuits, fail, call } = newTimed()
  fail(max_failures)
  expect(call(true, 'other')).toBe(true)
  expect(circuits.isOpen('a', 'other')).toBe(false)
})
