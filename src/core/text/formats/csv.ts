/** A value of a cell; numbers are written as they are. */
export type CsvValue = string | number | boolean | null

/** Spreadsheets take a text that begins like this for a formula, also in full width. */
const formula = /^[=+\-@\t\r\n]/
const needs_quotes = /[",\r\n]/

/** A cell. A text that would be a formula gets an apostrophe in front, which shows it as text. */
function csvCell(value: CsvValue): string {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  const text = formula.test(value.charAt(0).normalize('NFKC')) ? `'${value}` : value
  return needs_quotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A line of a CSV file (RFC 4180). */
export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(csvCell).join(',')}\r\n`
}
