import { formatMoney } from '../../core/money/money.ts'
import { type Color, newPaint } from '../../core/text/terminal/colors.ts'
import { displayWidth, fitText, printable } from '../../core/text/terminal/display-width.ts'
import type { Terminal } from './terminal.ts'

/** A column of a table: its text for each row. */
export interface Column<Row> {
  readonly title: string
  text(row: Row): string
  readonly align?: 'right'
  /** May be cut when the terminal is too narrow. Ids are never cut. */
  readonly shrinks?: true
  color?(row: Row): Color | null
}

interface Shown {
  readonly json?: boolean
}

export function showJson({ write }: Terminal, value: unknown): void {
  write(`${JSON.stringify(value, null, 2)}\n`)
}

/** A table on a terminal, else JSON. */
export function showList<Row>(
  terminal: Terminal,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { json }: Shown,
): void {
  if (json || !terminal.is_terminal) showJson(terminal, rows)
  else terminal.write(rows.length === 0 ? 'None found.\n' : tableText(terminal, rows, columns))
}

/** Fields below each other on a terminal, else JSON. */
export function showRecord<Row>(
  terminal: Terminal,
  row: Row,
  fields: readonly Column<Row>[],
  { json }: Shown,
): void {
  if (json || !terminal.is_terminal) {
    showJson(terminal, row)
    return
  }
  const paint = newPaint(terminal.has_color)
  const width = Math.max(...fields.map(({ title }) => title.length))
  for (const { title, text, color } of fields) {
    const value = printable(text(row))
    if (value === '') continue
    const tone = color?.(row)
    terminal.write(`${paint('dim', title.padEnd(width))}  ${tone ? paint(tone, value) : value}\n`)
  }
}

const gap = 2
const min_width = 8

/** Columns that are empty in every row are left out. */
export function tableText<Row>(
  { columns: max_width, has_color }: Terminal,
  rows: readonly Row[],
  all_columns: readonly Column<Row>[],
): string {
  const paint = newPaint(has_color)
  const columns = all_columns.filter(({ text }) => rows.some((row) => text(row) !== ''))
  const texts = rows.map((row) => columns.map(({ text }) => printable(text(row))))
  const widths = columns.map(({ title }, at) =>
    Math.max(title.length, ...texts.map((cells) => displayWidth(cells[at] ?? ''))),
  )
  shrink(widths, columns, max_width)
  const lineOf = (cells: readonly string[], colorOf: (column: Column<Row>) => Color | null) =>
    columns
      .map((column, at) => {
        const fitted = fitText(cells[at] ?? '', widths[at] ?? 0, column.align)
        const color = colorOf(column)
        return color ? paint(color, fitted) : fitted
      })
      .join(' '.repeat(gap))
      .trimEnd()
  const titles = columns.map(({ title }) => title)
  const lines = rows.map((row, at) => lineOf(texts[at] ?? [], ({ color }) => color?.(row) ?? null))
  return `${[lineOf(titles, () => 'dim'), ...lines].join('\n')}\n`
}

/** Takes from the widest column that may be cut, until the table fits or nothing can be taken. */
function shrink(widths: number[], columns: readonly Column<never>[], max_width: number): void {
  const total = () => widths.reduce((sum, width) => sum + width + gap, -gap)
  while (total() > max_width) {
    const widest = columns.reduce(
      (found, { shrinks }, at) =>
        shrinks && (widths[at] ?? 0) > (widths[found] ?? min_width) ? at : found,
      -1,
    )
    if (widest < 0) return
    widths[widest] = (widths[widest] ?? 0) - 1
  }
}

const status_colors: Readonly<Record<string, Color>> = {
  successful: 'green',
  paid: 'green',
  approved: 'green',
  failed: 'red',
  refused: 'red',
  error: 'red',
  canceled: 'dim',
}

/** Final states have a color of their own; all others are still in progress. */
export function statusColor(status: string): Color {
  return status_colors[status] ?? 'yellow'
}

export function moneyText(amount: number | null, currency: string | null): string {
  return amount === null || currency === null ? '' : formatMoney(amount, currency)
}

/** To the second, in UTC: the same on every machine. */
export function timeText(time: Date | string | number | null): string {
  if (time === null) return ''
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z')
}
