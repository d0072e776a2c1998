import { createHash } from 'node:crypto'
import { isNameIn } from '../../core/table-names.ts'
import { minute_ms } from '../../core/time/time-units.ts'
import { accountName } from '../../methods/bank-transfer/bank-transfer-facts.ts'
import { konbini_chains } from '../../methods/konbini/konbini-facts.ts'
import { konbini_guides } from '../../methods/konbini/konbini-guides.ts'
import { type Html, html } from '../frame/escaped-html.ts'
import { mailAddress, moneyText, ownPath, timeText, type Words } from './hosted-parts.ts'
import type { BankTransferView, KonbiniView } from './hosted-view.ts'
import { brandName, wordsIn } from './texts/method-words.ts'

/** The page of a payment at a store or by transfer. */
type DepositView = KonbiniView | BankTransferView

/** A chain of a provider that has no guide is paid at like most are. */
export function guideOf(chain: string) {
  return konbini_guides[isNameIn(konbini_chains, chain) ? chain : 'seven_eleven']
}

/** The numbers of a payment in the order in which the chain asks for them. */
export function numbersOf(view: KonbiniView, words: Words): { name: string; value: string }[] {
  const guide = guideOf(view.convenience_store)
  const is_short = view.company_code === null && guide.without_company
  return (is_short || guide.numbers).flatMap(([field, name]) => {
    const value = view[field]
    return value === null ? [] : { name: wordsIn(name, words.language), value }
  })
}

/** The bank's names are known in two languages. */
export function nameOfBank(name: string, { language }: Words): string {
  return accountName(name, language === 'ja' ? 'ja' : 'en')
}

function accountOf(view: BankTransferView, words: Words) {
  const { bank_transfer: texts } = words.texts
  return [
    { name: texts.bank, value: `${nameOfBank(view.bank_name, words)} (${view.bank_code})` },
    { name: texts.branch, value: `${nameOfBank(view.branch_name, words)} (${view.branch_code})` },
    { name: texts.account_number, value: `${texts.ordinary} ${view.account_number}` },
    { name: texts.account_holder, value: nameOfBank(view.account_holder_name, words) },
  ]
}

/** The payment as text: where, how much, until when, and the numbers. */
function textLines(view: DepositView, words: Words): string[] {
  const { texts } = words
  const { text, zone } = timeText(view.expires_on, words, 'with_year')
  const place =
    view.kind === 'konbini'
      ? brandName(view.convenience_store, words.language)
      : texts.bank_transfer.heading
  const numbers = view.kind === 'konbini' ? numbersOf(view, words) : accountOf(view, words)
  const amount = view.money ? [`${texts.amount}: ${moneyText(view.money, words)}`] : []
  const rows = numbers.map(({ name, value }) => `${name}: ${value}`)
  return [place, ...amount, `${texts.expiry}: ${text} (${zone})`, ...rows]
}

/** For the customer's calendar, and for a mail to themselves: their own mail program writes it. */
export function takeAlongLinks(view: DepositView, words: Words): Html {
  const { calendar, mail, to_pay } = words.texts
  const calendar_path = `${view.action}/deadline.ics?language=${words.language}`
  const address = mailAddress(to_pay(view.store_name), textLines(view, words))
  return html`<a class="button" href="${ownPath(calendar_path)}" download>${calendar}</a>
<a class="button" href="${address}">${mail}</a>`
}

const event_ms = 30 * minute_ms

/** RFC 5545: an entry that ends at the deadline, with a reminder a day before. */
export function calendarOf(view: DepositView, now: Date, words: Words): string {
  const { expires_on } = view
  // Not the address of the page, which opens it.
  const id = createHash('sha256').update(view.action).digest('hex').slice(0, 32)
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Kaikei//Payments//EN',
    'BEGIN:VEVENT',
    `UID:${id}`,
    `DTSTAMP:${utcTime(now)}`,
    `DTSTART:${utcTime(new Date(expires_on.getTime() - event_ms))}`,
    `DTEND:${utcTime(expires_on)}`,
    `SUMMARY:${plain(words.texts.to_pay(view.store_name))}`,
    `DESCRIPTION:${textLines(view, words).map(plain).join('\\n')}`,
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${plain(words.texts.to_pay(view.store_name))}`,
    'TRIGGER:-P1D',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return `${lines.map(folded).join('\r\n')}\r\n`
}

function utcTime(moment: Date): string {
  return `${moment.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}

function plain(text: string): string {
  return text.replaceAll(/[\\;,]/g, '\\$&').replaceAll(/\p{Cc}/gu, ' ')
}

const max_line_bytes = 75

/** Longer lines continue after a space; a character of several bytes is never divided. */
function folded(line: string): string {
  const rows = ['']
  for (const char of line) {
    const row = rows.at(-1) ?? ''
    if (Buffer.byteLength(row + char) > max_line_bytes) rows.push(` ${char}`)
    else rows[rows.length - 1] = row + char
  }
  return rows.join('\r\n')
}
