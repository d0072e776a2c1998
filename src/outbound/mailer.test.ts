import { expect, test } from 'vitest'
import { startMailServer } from '../../test/support/receiver/mail-server.ts'
import { readConfig } from '../config.ts'
import { newLog } from '../log.ts'
import { newMailer } from './mailer.ts'

const mail = { to: 'a@shop.example', subject: 'Hello', text: 'https://x.example/secret-link\n' }

function mailerWith(settings: Record<string, string>) {
  const lines: string[] = []
  const log = newLog('info', { write: (line: string) => void lines.push(line) })
  return { lines, mailer: newMailer(readConfig(settings), log) }
}

test('without SMTP_URL a mail is found in the log, on loopback only', async () => {
  const { mailer, lines } = mailerWith({})
  await mailer.send(mail)
  expect(lines.join('')).toContain('secret-link')
  const open = mailerWith({ HOST: '0.0.0.0' })
  await expect(open.mailer.send(mail)).rejects.toThrow('set SMTP_URL')
  expect(open.lines.join('')).not.toContain('secret-link')
})

test('with SMTP_URL nothing of a mail is in the log', async () => {
  const server = await startMailServer()
  const { mailer, lines } = mailerWith({ SMTP_URL: server.url, MAIL_FROM: 'k@kaikei.example' })
  await mailer.send(mail)
  expect(server.mails).toHaveLength(1)
  expect(lines).toEqual([])
  server.refuse('550 no')
  await expect(mailer.send(mail)).rejects.toThrow()
  await server.close()
})

test('no header can be added through an address or a subject', async () => {
  const server = await startMailServer()
  const { mailer } = mailerWith({ SMTP_URL: server.url })
  await mailer.send({ ...mail, subject: 'Hello\r\nBcc: evil@evil.example' })
  expect(server.mails.join('')).not.toMatch(/^Bcc:/m)
  await server.close()
})

test.each([
  ['SMTP_URL', 'http://mail.example'],
  ['SMTP_URL', 'mail.example:25'],
  ['MAIL_FROM', 'nobody'],
  ['MAIL_FROM', 'A <a@b.example>\nBcc: x@y.example'],
])('the setting %s cannot be %s', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(`The setting ${name} must look like`)
})
