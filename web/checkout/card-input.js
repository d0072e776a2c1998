// The facts about a card while its number is typed. The service decides; this only helps to type.
import { halfWidth, isUsableExpiry, splitExpiry } from './typing-rules.js'

const four = [4, 4, 4, 4, 3]
const brands = [
  { names: ['american_express'], start: /^3[47]/, lengths: [15], groups: [4, 6, 5], cvv: 4 },
  { names: ['diners_club'], start: /^3(0[0-5]|[689])/, lengths: [14], groups: [4, 6, 4], cvv: 3 },
  { names: ['jcb'], start: /^35(2[89]|[3-8])/, lengths: [16], groups: four, cvv: 3 },
  { names: ['visa'], start: /^4/, lengths: [13, 16, 19], groups: four, cvv: 3 },
  {
    names: ['mastercard'],
    start: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/,
    lengths: [16],
    groups: four,
    cvv: 3,
  },
  { names: ['discover'], start: /^6(011|4[4-9]|5)/, lengths: [16, 19], groups: four, cvv: 3 },
  {
    names: ['unionpay', 'union_pay'],
    start: /^62/,
    lengths: [16, 17, 18, 19],
    groups: four,
    cvv: 3,
  },
]

const digitsOf = (text) => halfWidth(text).replace(/\D/g, '')

/** The brand of a partly typed number. */
export function brandOf(text) {
  const digits = digitsOf(text)
  return brands.find(({ start }) => start.test(digits)) ?? null
}

/** In groups, as on the card. */
export function groupNumber(text) {
  const brand = brandOf(text)
  const digits = digitsOf(text).slice(0, brand ? Math.max(...brand.lengths) : 19)
  const parts = []
  let from = 0
  for (const length of brand?.groups ?? four) {
    if (from >= digits.length) break
    parts.push(digits.slice(from, from + length))
    from += length
  }
  return parts.join(' ')
}

/**
 * Whether the number is complete. Numbers of 17 and more digits are rare; their owners click again.
 */
export function isFullNumber(text) {
  const { lengths: known = [] } = brandOf(text) ?? {}
  const usual = known.includes(16) ? 16 : known[0]
  return isComplete(text) && digitsOf(text).length >= usual
}

/** Cards of unknown brands may have the longest code. */
export function isFullCode(text, card_number) {
  return text.length === (brandOf(card_number)?.cvv ?? 4)
}

/** Whether the number has the right length and check digit. */
export function isComplete(text) {
  const digits = digitsOf(text)
  const lengths = brandOf(text)?.lengths ?? [12, 13, 14, 15, 16, 17, 18, 19]
  if (!lengths.includes(digits.length)) return false
  const sum = [...digits].reverse().reduce((all, digit, at) => {
    const value = at % 2 === 1 ? Number(digit) * 2 : Number(digit)
    return all + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

/**
 * While it is typed at its end: `2` to `9` are a month already, `1` may become `12`. A month is complete
 * with its second digit or with any separator. A pasted or filled-in text is read as a whole.
 */
function joinExpiry(text, is_whole) {
  const plain = halfWidth(text)
  const read = is_whole && splitExpiry(plain)
  if (read) return showExpiry(read)
  const [first = '', ...others] = plain.replace(/^\D+/, '').split(/\D+/)
  const is_short = /^([2-9]|1[3-9])/.test(first) || (first === '1' && others.length > 0)
  const digits = (is_short ? `0${first}` : first) + others.join('')
  const year = digits.slice(2, 6)
  if (digits.length < 2) return digits
  return `${digits.slice(0, 2)} / ${/^20\d{2}/.test(year) ? year.slice(2) : year}`
}

function showExpiry({ month, year }) {
  return `${month.padStart(2, '0')} / ${year.slice(-2)}`
}

export function isExpiry(text, now) {
  const { month, year } = splitExpiry(halfWidth(text)) ?? {}
  if (!(month >= 1 && month <= 12)) return false
  return isUsableExpiry(Number(month), 2000 + (Number(year) % 100), now.getTime())
}

const formats = {
  card_number: groupNumber,
  expiry: joinExpiry,
  cvv: (text) => digitsOf(text).slice(0, 4),
}

/** Facts that are known only when a field loses focus. */
const settled = {
  expiry: (text, is_split) => {
    const read = splitExpiry(is_split ? halfWidth(text) : digitsOf(text))
    return read ? showExpiry(read) : text
  },
  phone: halfWidth,
  scanned_qr: halfWidth,
  amount: halfWidth,
}

const separatorsIn = (text) => halfWidth(text).replace(/[\d\s]/g, '').length

/**
 * Formats a field while it is typed into, and returns the function that finishes it when it loses focus.
 * Text that an input method still composes, deletions and corrections in the middle stay unchanged.
 */
export function helpTyping(input, name) {
  const format = formats[name]
  const settle = settled[name]
  let shown = input.value
  /** Whether the customer wrote a separator: ours does not say where a month ends. */
  let is_split = false
  function typed({ isComposing, inputType = '' }) {
    if (isComposing || !format) return
    is_split = input.value !== '' && (is_split || separatorsIn(input.value) > separatorsIn(shown))
    const is_deleted = inputType.startsWith('delete')
    const is_whole = digitsOf(input.value).length > digitsOf(shown).length + 1
    if (name !== 'expiry' || (!is_deleted && isAtEnd(input))) rewrite(input, format, is_whole)
    else if (isAtEnd(input)) input.value = input.value.replace(/\D+$/, '')
    shown = input.value
  }
  input.addEventListener('input', typed)
  input.addEventListener('compositionend', () => {
    typed({})
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
  return () => {
    const text = settle ? settle(input.value, is_split) : input.value
    if (text !== input.value) input.value = text
  }
}

function isAtEnd({ value, selectionStart }) {
  return digitsOf(value.slice(selectionStart)) === ''
}

/** Writes a value and leaves the cursor before the same digits. */
function rewrite(input, format, is_whole) {
  const { value, selectionStart } = input
  const text = format(value, is_whole)
  if (text === value) return
  const dropped = Math.max(0, digitsOf(value).length - digitsOf(text).length)
  let after = digitsOf(value.slice(selectionStart)).length - dropped
  let at = text.length
  for (; after > 0 && at > 0; at -= 1) if (/\d/.test(text[at - 1])) after -= 1
  input.value = text
  input.setSelectionRange(at, at)
}
