/**
 * The printed date of a card, as people and programs write it: "2", "02" or 2, and a year of two or
 * four digits. Cards are valid for a few years, so two digits always mean 20YY. Null is no date.
 */
export function readExpiry(
  month: string | number,
  year: string | number,
): { exp_month: number; exp_year: number } | null {
  const month_text = String(month)
  const year_text = String(year)
  if (!/^(0?[1-9]|1[0-2])$/.test(month_text) || !/^(20)?\d{2}$/.test(year_text)) return null
  return { exp_month: Number(month_text), exp_year: 2000 + Number(year_text.slice(-2)) }
}

/**
 * The date of a card as one text: `3/28`, `0328`, `03 / 2028`, and from forms that fill themselves `2028-03`.
 * Only the months 1 to 9 can lack their zero, so `128` is January 2028. Null is no date. Browsers get the
 * source of this function, so it uses nothing outside itself.
 */
export function splitExpiry(text: string): { month: string; year: string } | null {
  const plain = text.trim()
  const year_first = /^(20\d{2})\D*(0[1-9]|1[0-2])$/.exec(plain)
  if (year_first) return { month: year_first[2] ?? '', year: year_first[1] ?? '' }
  const found =
    /^(\d{1,2})\D+((?:20)?\d{2})$/.exec(plain) ?? /^(0\d|1[0-2]|[1-9])((?:20)?\d{2})$/.exec(plain)
  return found ? { month: found[1] ?? '', year: found[2] ?? '' } : null
}

/**
 * A card is valid to the end of its month, and the month ends when it has ended everywhere, twelve hours
 * after UTC. The issuer declines what it finds too late; refusing a card here that its issuer would have
 * accepted is a lost sale. A year more than 20 ahead is on no card: it is a typing error. Browsers get the
 * source of this function, so it uses nothing outside itself.
 */
export function isUsableExpiry(exp_month: number, exp_year: number, now_ms: number): boolean {
  const is_over = now_ms >= Date.UTC(exp_year, exp_month, 1, 12)
  return !is_over && exp_year <= new Date(now_ms).getUTCFullYear() + 20
}
