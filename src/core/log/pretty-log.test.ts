import { expect, test } from 'vitest'
import { newLogFormatter } from './pretty-log.ts'

const time = '2026-01-31T12:34:56.789Z'
const format = newLogFormatter(false)
const line = (record: object) => `${JSON.stringify({ level: 'info', time, ...record })}\n`
const request = {
  request_id: '9b46059b-10cc-4de7-8a39-1a2ca06d262f',
  method: 'POST',
  route: '/charges',
  status: 201,
  ms: 12,
  merchant_id: '01a1e56a-1171-77a6-9f56-e91265c94bda',
  msg: 'request',
}

test('a request is one line: time, method, status, duration, path, id, merchant', () => {
  const text = format(line(request))
  expect(text).toMatch(/^\d\d:\d\d:56\.789 POST {3}201 {4}12\.0 ms {2}\/charges {2}9b46059b {2}/)
  expect(text).toMatch(/merchant 01a1e56a…4bda\n$/)
})

test('the path is shown rather than the route, and a merchant where it is known', () => {
  const { merchant_id: _, ...rest } = request
  const found = {
    ...rest,
    method: 'GET',
    route: 'unknown',
    path: '/chargess',
    status: 404,
    ms: 1.4,
  }
  expect(format(line({ ...found, process: 2 }))).toMatch(
    /789 \[2\] GET {4}404 {5}1\.4 ms {2}\/chargess {2}9b46059b\n$/,
  )
})

test('other lines show their level, facts and error; an unexpected error also its place', () => {
  const err = { type: 'Error', message: 'gone', stack: 'Error: gone\n    at place' }
  expect(format(line({ level: 'warn', err, wait_ms: 5, msg: 'away' }))).toMatch(
    /789 WARN {2}away wait_ms=5\n {4}gone\n$/,
  )
  expect(format(line({ level: 'error', err, msg: 'away' }))).toMatch(
    /\n {4}Error: gone\n.*at place/,
  )
  expect(format('no JSON\n')).toBe('no JSON\n')
})

test('colors are for terminals, and nothing in a line can write its own', () => {
  expect(newLogFormatter(true)(line(request))).toContain('\u001b[32m201\u001b[0m')
  expect(format(line({ ...request, msg: '\u001b[31mred', level: 'info' }))).not.toContain('\u001b')
  expect(format(line({ ...request, path: '/a\u001b[2J' }))).not.toContain('\u001b')
})
