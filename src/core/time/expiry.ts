import { hour_ms } from './clock.ts'

/** The UTC offset of the last place on earth, in hours: a month ends there last. */
const latest_place_ms = 12 * hour_ms

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
 * A card is valid to the end of its month, and the month ends when it has ended everywhere. The issuer
 * declines what it finds too late; refusing a card here that its issuer would have accepted is a lost
 * sale.
 */
export function isExpired(exp_month: number, exp_year: number, now_ms: number): boolean {
  return now_ms >= Date.UTC(exp_year, exp_month) + latest_place_ms
}
