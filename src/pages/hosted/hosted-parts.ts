import { currencyDigits } from '../../core/money/currencies.ts'
import { formatAmount } from '../../core/money/money.ts'
import { default_zone } from '../../core/time/schedule.ts'
import { readWebAddress } from '../../core/typed/web-address.ts'
import { drawMark, wordOf } from '../../methods/contract/payment-marks.ts'
import { findName } from '../../methods/payment-names.ts'
import { drawn, type Html, html } from '../frame/escaped-html.ts'
import type { BankTransferView, Language, ReturnedDeposit } from './hosted-view.ts'
import type { HostedTexts, ReturnedSentence } from './texts/hosted-texts.ts'

/** The language of a page, its texts, and the time zone of its shop. */
export interface Words {
  readonly language: Language
  readonly texts: HostedTexts
  readonly time_zone: string
}

export type Money = NonNullable<BankTransferView['money']>

export function row(name: string, value: Html | string): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`
}

interface CopyRow {
  readonly name: string
  /** The number for pasting: without groups and separators. */
  readonly value: string
  readonly shown?: Html | string
  readonly look?: 'digits' | 'id'
}

/** A value and a button that copies it. The button appears when scripts run. */
export function copyRow({ name, value, shown, look }: CopyRow, { texts }: Words): Html {
  return html`<div><dt>${name}</dt><dd${look ? html` class="${look}"` : null}>${shown ?? value}</dd>
<dd class="act"><button class="copy" type="button" hidden value="${value}"
 data-copied="${texts.copied}" aria-label="${texts.copy_what(name)}">${texts.copy}</button></dd></div>`
}

export function amountRow({ money }: { money: Money | null }, words: Words): Html | null {
  return money && totalRow(words.texts.amount, money, words)
}

/** Longer ones do not fit a small phone in the size of the others. */
const usual_amount_length = 11

/** The amount of a page, as its largest text. A number never breaks: only before the name of a currency. */
export function totalRow(name: string, money: Money, words: Words): Html {
  const text = moneyText(money, words)
  const [, number = text, currency = ''] = /^(.*\d円?)(.*)$/.exec(text) ?? []
  const parts = html`<span class="whole">${number}</span>${currency}`
  const long = text.length > usual_amount_length ? ' long' : ''
  return html`<div><dt>${name}</dt><dd class="amount${long}">${parts}</dd></div>`
}

/** The zone is shown: a customer may be anywhere. */
export function timeRow(
  name: string,
  moment: Date,
  words: Words,
  year: 'with_year' | 'no_year' = 'no_year',
): Html {
  const { text, zone } = timeText(moment, words, year)
  return html`<div><dt>${name}</dt>
<dd><time datetime="${moment.toISOString()}">${text}</time> <small>(${zone})</small></dd></div>`
}

/** A day and a time as people write them, and the zone in words. */
export function timeText(moment: Date, words: Words, year: 'with_year' | 'no_year') {
  const { language, time_zone, texts } = words
  const inZone = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { timeZone: time_zone, ...options })
  const by_year = year === 'with_year' ? ({ year: 'numeric' } as const) : {}
  const weekday = language === 'en' ? {} : ({ weekday: 'short' } as const)
  const day = inZone({ ...by_year, ...weekday, month: 'long', day: 'numeric' }).format(moment)
  const time = inZone({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(moment)
  const parts = inZone({ timeZoneName: 'short' }).formatToParts(moment)
  const known = parts.find(({ type }) => type === 'timeZoneName')?.value ?? time_zone
  const zone = time_zone === default_zone ? texts.japan_time : known
  return { text: `${day}${language === 'en' ? ', ' : ' '}${time}`, zone }
}

function shortTime(moment: Date, { language, time_zone }: Words, with_day: boolean): string {
  const day = with_day ? ({ month: 'long', day: 'numeric' } as const) : {}
  const format = { ...day, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  return new Intl.DateTimeFormat(language, { timeZone: time_zone, ...format }).format(moment)
}

/** Our table, which follows the standard, has the digits; the language only sets the notation. */
export function moneyText({ amount, currency }: Money, { language }: Words): string {
  const digits = currencyDigits(currency)
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    // Japanese pages write 1,000円; the currency sign would be full width.
    currencyDisplay: language === 'ja' ? 'name' : 'symbol',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(formatAmount(amount, currency))
}

/** The heading of a page about a brand, with its mark. */
export function brandHeading(brand: string, text: string, { language }: Words): Html {
  return html`<div class="method">${mark(brand, language)}<h1>${text}</h1></div>`
}

/** In the page itself: a file for each would be what takes longest to load. */
export function mark(brand: string, language: Language): Html | null {
  const name = findName(brand)
  if (name === null) return null
  const svg = drawMark(name, language === 'ja' ? 'ja' : 'en')
  return html`<span class="mark" data-brand="${brand}" aria-hidden="true">${drawn(svg)}</span>`
}

/** A name beside a mark; where the mark is the name, only screen readers need it. */
export function nameBeside(brand: string, shown: string, language: Language): Html {
  const name = findName(brand)
  const is_on_mark = name !== null && wordOf(name, language === 'ja' ? 'ja' : 'en') === shown
  return html`<span${is_on_mark ? html` class="unseen"` : null}>${shown}</span>`
}

type WaitingKind = Exclude<keyof HostedTexts['not_yet'], 'title' | 'rest'>

/** The text for a customer who asked whether the money has arrived. */
export function notYet(
  kind: WaitingKind,
  checked_on: Date | null,
  words: Words,
  received = 0,
): Html | null {
  if (checked_on === null) return null
  const { not_yet } = words.texts
  const time = shortTime(checked_on, words, false)
  const title = received > 0 ? not_yet.rest(time) : not_yet.title(time)
  return html`<div class="notice" id="checked" role="status"><p><strong>${title}</strong></p>
<p>${not_yet[kind]}</p></div>`
}

export function returnedNotice(
  returned: readonly ReturnedDeposit[],
  money: Money | null,
  store: string,
  words: Words,
): Html | null {
  if (returned.length === 0 || money === null) return null
  const { reasons, states } = words.texts.returned
  const inMoney = (amount: number) => moneyText({ ...money, amount }, words)
  const lines = returned.map((deposit) => {
    const given: Parameters<ReturnedSentence>[0] = {
      amount: inMoney(deposit.amount),
      difference: inMoney(deposit.difference),
      returned: inMoney(deposit.returned_amount),
      day: shortTime(deposit.arrived_on, words, true),
      store,
    }
    const space = words.language === 'ja' ? '' : ' '
    const [reason, state] = [reasons[deposit.reason](given), states[deposit.status](given)]
    return html`<p><strong>${reason}</strong>${space}${state}</p>`
  })
  return html`<div class="notice" role="status">${lines}</div>`
}

/** Steps in their order. Texts of a screen or for the counter are in quotes, and stay together. */
export function stepList(steps: readonly string[]): Html {
  const items = steps.map((step) => {
    const pieces = step.split(/(「[^」]*」|“[^”]*”)/)
    return html`<li>${pieces.map((piece, at) => (at % 2 === 1 ? html`<b>${piece}</b>` : piece))}</li>`
  })
  return html`<ol>${items}</ol>`
}

export function checkLink({ texts }: Words): Html {
  return html`<a class="button main" href="?checked=1#checked">${texts.check_now}</a>`
}

export function printButton({ texts }: Words): Html {
  return html`<button class="print" type="button" hidden>${texts.print}</button>`
}

/** The actions of a tester, apart from what customers see. */
export function trial(content: Html, { texts }: Words): Html {
  const { heading, sentence } = texts.trial
  return html`<section class="trial"><h2>${heading}</h2>
<p>${sentence}</p>
${content}
</section>`
}

export function outcomeButton(
  outcome: 'successful' | 'failed' | 'abandoned',
  text: string,
  look: 'main' | 'plain' | 'faint' = 'plain',
): Html {
  return html`<button class="${look}" type="submit" name="outcome" value="${outcome}">${text}</button>`
}

/** A new mail without a recipient, in the customer's own mail program. */
export function mailAddress(subject: string, lines: readonly string[]): string {
  const query = new URLSearchParams({ subject, body: lines.join('\r\n') })
  return `mailto:?${query.toString().replaceAll('+', '%20')}`
}

/** A form or a link of ours that leads anywhere else is a mistake of the program, not of the customer. */
export function ownPath(path: string): string {
  if (!/^\/(?![/\\])/.test(path)) throw new Error(`${JSON.stringify(path)} is not a path of ours.`)
  return path
}

export function webAddress(text: string | null): string | null {
  return text !== null && /^https?:\/\//.test(text) && readWebAddress(text) ? text : null
}
