import { expect, test, vi } from 'vitest'
import { PlainError } from '../../core/api/plain-error.ts'
import { newReadiness } from './readiness.ts'

// Writes are functions here: the tests check how often they are called and what their results become.
const silent = { warn: () => {} }

function readinessOf(write: () => Promise<unknown>) {
  let now_ms = 0
  const readiness = newReadiness([{ part: 'the database', write }], silent, () => now_ms)
  readiness.started = true
  const pass = (ms: number) => {
    now_ms += ms
  }
  return { readiness, pass }
}

test('a write is attempted once a second, however often readiness is asked', async () => {
  const write = vi.fn(async () => {})
  const { readiness, pass } = readinessOf(write)
  const askOften = () => Promise.all(Array.from({ length: 50 }, () => readiness.findFaults()))
  expect(new Set((await askOften()).flat())).toEqual(new Set())
  pass(999)
  await askOften()
  expect(write).toHaveBeenCalledTimes(1)
  pass(1)
  await askOften()
  expect(write).toHaveBeenCalledTimes(2)
})

test('the end of a fault is noticed after a tenth of a second', async () => {
  const write = vi.fn(() => Promise.reject(new PlainError('no primary')))
  const { readiness, pass } = readinessOf(write)
  expect(await readiness.findFaults()).toEqual(['no primary'])
  write.mockImplementation(() => Promise.resolve() as Promise<never>)
  pass(99)
  expect(await readiness.findFaults()).toEqual(['no primary'])
  pass(1)
  expect(await readiness.findFaults()).toEqual([])
  expect(write).toHaveBeenCalledTimes(2)
})

test('a write that hangs counts as failed, and no other is started behind it', async () => {
  vi.useFakeTimers()
  try {
    let end = () => {}
    const write = vi.fn(
      () =>
        new Promise<void>((resolve) => {
          end = resolve
        }),
    )
    const { readiness, pass } = readinessOf(write)
    for (let asked = 0; asked < 5; asked += 1) {
      const found = readiness.findFaults()
      await vi.advanceTimersByTimeAsync(2000)
      expect(await found).toEqual(['the database does not answer'])
      pass(1000)
    }
    expect(write).toHaveBeenCalledTimes(1)
    end()
    await vi.advanceTimersByTimeAsync(0)
    write.mockImplementation(async () => {})
    pass(1000)
    expect(await readiness.findFaults()).toEqual([])
  } finally {
    vi.useRealTimers()
  }
})

test.each([
  [{ code: '53100', message: 'could not extend /secret/path' }, 'its disk is full'],
  [{ code: 'ENOSPC', message: 'write' }, 'its disk is full'],
  [{ code: '25006', message: 'x' }, 'it allows reads only'],
  [{ code: '28P01', message: 'password of bob' }, 'access is denied'],
  [{ code: 'ECONNREFUSED', message: '10.0.0.1' }, 'it cannot be reached'],
  [{ message: 'nobody foresaw this, token 123' }, 'a write failed, and the log says why'],
])('a fault is reported without the text of the error: %o', async (error, cause) => {
  const { readiness } = readinessOf(() => Promise.reject(error))
  expect(await readiness.findFaults()).toEqual([`the database cannot be written to: ${cause}`])
})

test('our own messages are reported unchanged, and a start that is not finished is a fault', async () => {
  const sentence = 'the database has schema version 1, this program needs 2'
  const { readiness } = readinessOf(() => Promise.reject(new PlainError(sentence)))
  expect(await readiness.findFaults()).toEqual([sentence])
  readiness.started = false
  expect(await readiness.findFaults()).toEqual(['the service is starting'])
})
