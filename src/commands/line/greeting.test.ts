import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { credentialsPath } from '../../accounts/demo/demo-credentials.ts'
import { greeting } from './greeting.ts'

// The output of a start: the credentials are printed once, and only on a terminal.
const data_dir = mkdtempSync(join(tmpdir(), "kaikei's greeting "))
afterAll(() => rmSync(data_dir, { recursive: true }))

const base_url = 'http://127.0.0.1:8080'
const credentials = {
  base_url,
  merchant_id: 'm',
  store_id: 's',
  jwt: 'head.body.sign',
  secret: 'S3',
}
const called_as = 'npx kaikei'
const link = `${base_url}/console/enter/abc`
const print = (is_new: boolean, is_terminal: boolean) =>
  greeting(
    { base_url, demo: { credentials, is_new, console_link: is_new ? link : null } },
    { data_dir, is_terminal, called_as },
  )

test('the first start shows the credentials in a terminal', () => {
  expect(print(true, true)).toContain("AUTH='Authorization: Bearer S3.head.body.sign'")
})

test('the first start prints a link that signs in once, a later one how to get another', () => {
  expect(print(true, true)).toContain(`console         ${link} (signs you in once`)
  expect(print(false, true)).toContain(`${base_url}/console (npx kaikei open console)`)
})

test('a start without a terminal prints no link that signs in: its output may be stored', () => {
  expect(print(true, false)).not.toContain(link)
  expect(print(true, false)).toContain(`${base_url}/console (npx kaikei open console)`)
})

test.each([
  ['a later start', false, true],
  ['a start without a terminal', true, false],
  ['a later start without a terminal', false, false],
])('%s says where they are, and its commands read them there', (_, is_new, is_terminal) => {
  const text = print(is_new, is_terminal)
  for (const secret of [credentials.secret, credentials.jwt]) expect(text).not.toContain(secret)
  expect(text).toContain(`credentials     ${credentialsPath(data_dir)} (npx kaikei credentials)`)
  expect(text).toContain('npx kaikei help')
  expect(text).toMatch(/curl -s http:\S+\/charges /)
  writeFileSync(credentialsPath(data_dir), `${JSON.stringify(credentials, null, 2)}\n`)
  const commands = text.slice(text.indexOf('field()'), text.indexOf('JSON='))
  const auth = execFileSync('sh', ['-c', `${commands}\necho "$AUTH"`], { encoding: 'utf8' })
  expect(auth).toBe('Authorization: Bearer S3.head.body.sign\n')
})

test('without a demo store there is nothing to try', () => {
  const text = greeting({ base_url, demo: null }, { data_dir, is_terminal: true, called_as })
  expect(text).toContain(`${base_url}/docs`)
  expect(text).not.toContain('credentials')
})
