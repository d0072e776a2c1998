import { expect, test } from 'vitest'
import { bank_transfer, konbini, valuesOf } from '../../../test/support/pages/hosted-views.ts'
import { renderHosted } from './render-hosted.ts'
import { calendarOf } from './take-along.ts'
import { hosted_texts } from './texts/hosted-texts.ts'

const words = { language: 'ja', texts: hosted_texts.ja, time_zone: 'Asia/Tokyo' } as const
const now = new Date('2026-11-19T00:00:00Z')
const calendar = (view: Parameters<typeof calendarOf>[0]) => calendarOf(view, now, words)
const unfolded = (text: string) => text.replaceAll('\r\n ', '')

test('a calendar entry ends at the deadline, and has the amount and the numbers', () => {
  const text = calendar(konbini)
  expect(text).toContain('\r\nDTEND:20261122T145959Z\r\n')
  for (const word of ['12345678901', '20020', '1\\,000円', 'ファミリーマート']) {
    expect(unfolded(text)).toContain(word)
  }
  expect(unfolded(calendar(bank_transfer))).toContain('普通 1234567')
  expect(text).not.toContain(konbini.action)
})

test('lines are at most 75 bytes, and no name of a shop adds a line or a field', () => {
  const text = calendar({ ...konbini, store_name: `${'茶'.repeat(60)}\r\nATTENDEE:x;y` })
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  expect(text).not.toMatch(/^ATTENDEE/m)
})

test('the page links to the entry, and to a mail that the customer sends to themselves', () => {
  const links = valuesOf(renderHosted(konbini, 'en'), 'href')
  expect(links).toContain(`${konbini.action}/deadline.ics?language=en`)
  const mail = links.find((link) => link.startsWith('mailto:')) ?? ''
  const body = new URLSearchParams(mail.slice('mailto:?'.length)).get('body')
  expect(body).toContain('12345678901')
})
