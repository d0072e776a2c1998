import { expect, test } from 'vitest'
import { acceptedEncodings } from './content-encoding.ts'

test.each([
  ['gzip, deflate, br', ['br', 'gzip']],
  ['GZIP;q=0.5', ['gzip']],
  ['br;q=0, gzip;q=1.0', ['gzip']],
  ['gzip;q=0.000', []],
  ['gzipped, x-br', []],
  ['identity', []],
  ['*', []],
  [undefined, []],
])('%s accepts %j', (header, accepted) => {
  expect(acceptedEncodings(header)).toEqual(accepted)
})
