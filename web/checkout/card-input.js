// What can be said of a card while its number is typed. The service decides; this only helps to type.

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

const digitsOf = (text) => text.replace(/\D/g, '')

/** The brand of a number as far as it was typed. */
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

/** Whether it has the right length and check digit. */
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

/** `1` may become `12`, so only `2` to `9` are a month at once. */
export function joinExpiry(text) {
  let digits = digitsOf(text)
  if (/^[2-9]/.test(digits) || /^1\s*\//.test(text.trim())) digits = `0${digits}`
  const [month, year] = [digits.slice(0, 2), digits.slice(2, 6)]
  if (digits.length < 2) return digits
  const short = year.length === 4 && year.startsWith('20') ? year.slice(2) : year
  return `${month} / ${short}`
}

export function isExpiry(text, now) {
  const found = /^\s*(\d{1,2})\s*\/?\s*(\d{2}|\d{4})\s*$/.exec(text)
  if (!found) return false
  const month = Number(found[1])
  const year =
    Number(found[2]) % 100 === Number(found[2]) ? 2000 + Number(found[2]) : Number(found[2])
  if (month < 1 || month > 12) return false
  return year * 12 + month >= now.getUTCFullYear() * 12 + now.getUTCMonth() + 1
}

/** Writes a value and leaves the cursor behind the same digit. */
export function rewrite(input, format) {
  const before = input.value.slice(0, input.selectionStart).replace(/\D/g, '').length
  const text = format(input.value)
  if (text === input.value) return
  input.value = text
  let at = 0
  for (let digits = 0; at < text.length && digits < before; at += 1) {
    if (/\d/.test(text[at])) digits += 1
  }
  if (before > 0 && /\D/.test(text[at] ?? '') && at + 1 >= text.length) at = text.length
  input.setSelectionRange(at, at)
}
