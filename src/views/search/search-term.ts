import { isUuid } from '../../core/ids.ts'
import { currencies } from '../../core/money/currencies.ts'
import { namesOf } from '../../core/table-names.ts'

/** The meanings of a typed text; each is looked up by an index of its own. */
export interface SearchTerm {
  /** In one normal form: full-width characters are half-width ones. */
  readonly text: string
  readonly ids: readonly IdPattern[]
  /** In the smallest unit, for currencies with that many digits. */
  readonly amounts: readonly AmountMeaning[]
}

export interface IdPattern {
  /** The smallest and the largest id that begin like this; null: only the end is known. */
  readonly range: readonly [from: string, to: string] | null
  /** Up to twelve digits at the end of an id; empty: only the beginning is known. */
  readonly end: string
}

export interface AmountMeaning {
  readonly amount: number
  readonly currencies: readonly string[]
}

const longest_end = 12
/** The short form of an id in the console: its first eight digits, an ellipsis and its last ones. */
const shortest_beginning = 8
const shortest_end = 6
const shortest_shown_end = 4
const ellipsis = /…|\.{3}/
const hex = /^[0-9a-f]*$/

export function readTerm(typed: string): SearchTerm {
  const text = typed.normalize('NFKC').trim()
  return { text, ids: readIds(typed.trim().toLowerCase()), amounts: readAmounts(text) }
}

/** A text of digits may be the beginning or the end of an id. */
function readIds(text: string): IdPattern[] {
  if (isUuid(text)) return [{ range: [text, text], end: '' }]
  const [beginning = '', end, ...more] = text.split(ellipsis)
  const digits = beginning.replaceAll('-', '')
  if (more.length > 0 || digits.length > 32 || !hex.test(digits)) return []
  const range = digits.length >= shortest_beginning ? rangeOf(digits) : null
  if (end !== undefined) {
    const is_end = end.length >= shortest_shown_end && end.length <= longest_end && hex.test(end)
    return is_end && (range || digits === '') ? [{ range, end }] : []
  }
  const is_end =
    digits.length >= shortest_end && digits.length <= longest_end && digits === beginning
  return [...(range ? [{ range, end: '' }] : []), ...(is_end ? [{ range: null, end: digits }] : [])]
}

function rangeOf(digits: string): readonly [string, string] {
  const whole = (filler: string) =>
    digits.padEnd(32, filler).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return [whole('0'), whole('f')]
}

const signs: Readonly<Record<string, readonly string[]>> = {
  '¥': ['JPY'],
  円: ['JPY'],
  $: ['USD', 'AUD', 'CAD', 'HKD', 'SGD', 'TWD', 'NZD'],
  '€': ['EUR'],
  '£': ['GBP'],
  '₩': ['KRW'],
}
const whole_part = String.raw`(?<whole>\d{1,3}(?:,\d{3})+|\d+)(?:\.(?<parts>\d{1,3}))?`
const amount = new RegExp(
  `^(?<before>[¥$€£₩]|[a-z]{3} ?)?${whole_part}(?<after> ?円| ?[a-z]{3})?$`,
  'i',
)
const all_currencies = namesOf(currencies)

/** `12,800` is 12800 of a currency without digits, and 1280000 of one with two. */
function readAmounts(text: string): AmountMeaning[] {
  const found = amount.exec(text)?.groups
  if (!found) return []
  const { before, after, whole = '', parts = '' } = found
  const sign = (before ?? after ?? '').trim().toUpperCase()
  const named = sign === '' ? all_currencies : (signs[sign] ?? [sign])
  const digits = [...new Set(all_currencies.map((name) => currencies[name].digits))]
  return digits.flatMap((count): AmountMeaning[] => {
    const fraction = parts.padEnd(count, '0')
    const value = Number(whole.replaceAll(',', '') + fraction)
    const of_digits = all_currencies.filter(
      (name) => currencies[name].digits === count && named.includes(name),
    )
    const is_amount = fraction.length === count && value > 0 && Number.isSafeInteger(value)
    return is_amount && of_digits.length > 0 ? [{ amount: value, currencies: of_digits }] : []
  })
}
