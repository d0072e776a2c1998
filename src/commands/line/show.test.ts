import { expect, test } from 'vitest'
import { displayWidth } from '../../core/text/terminal/display-width.ts'
import { type Column, moneyText, showList, showRecord, statusColor, timeText } from './show.ts'
import type { Terminal } from './terminal.ts'

interface Row {
  id: string
  name: string
  amount: number
  currency: string
  note: string
}

const rows: Row[] = [
  { id: '01a1e56a-1171', name: '山田 太郎', amount: 1000, currency: 'JPY', note: '' },
  { id: '01a1e56a-1172', name: 'Flower shop of Hanako', amount: 123456, currency: 'USD', note: '' },
]
const columns: Column<Row>[] = [
  { title: 'ID', text: ({ id }) => id },
  { title: 'NAME', text: ({ name }) => name, shrinks: true },
  { title: 'AMOUNT', text: (one) => moneyText(one.amount, one.currency), align: 'right' },
  { title: 'NOTE', text: ({ note }) => note },
]

function shown(work: (terminal: Terminal) => void, given: Partial<Terminal> = {}): string {
  let text = ''
  const write = (more: string) => {
    text += more
  }
  const plain = { is_terminal: true, columns: 80, has_color: false, shows_progress: false }
  work({ ...plain, write, writeError: write, ...given })
  return text
}

test('a terminal gets aligned columns, also with wide characters; empty columns are left out', () => {
  expect(shown((terminal) => showList(terminal, rows, columns, {}))).toBe(`\
ID             NAME                         AMOUNT
01a1e56a-1171  山田 太郎                 1,000 JPY
01a1e56a-1172  Flower shop of Hanako  1,234.56 USD
`)
})

test('a narrow terminal gets shorter names and whole ids', () => {
  const text = shown((terminal) => showList(terminal, rows, columns, {}), { columns: 40 })
  expect(text).toContain('01a1e56a-1172  Flower sho…  1,234.56 USD')
  for (const line of text.trimEnd().split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(40)
  const tiny = shown((terminal) => showList(terminal, rows, columns, {}), { columns: 10 })
  expect(tiny).toContain('01a1e56a-1172  Flower …  1,234.56 USD')
})

test('programs get JSON, and so does a person who asks for it', () => {
  const asked = shown((terminal) => showList(terminal, rows, columns, { json: true }))
  const piped = shown((terminal) => showList(terminal, rows, columns, {}), { is_terminal: false })
  expect(JSON.parse(asked)).toEqual(rows)
  expect(piped).toBe(asked)
  expect(shown((terminal) => showList(terminal, [], columns, {}))).toBe('None found.\n')
})

test('one resource is shown field by field, in color, without empty fields', () => {
  const [row] = rows as [Row]
  const fields = [
    ...columns.slice(1),
    { title: 'STATUS', text: () => 'failed', color: () => statusColor('failed') },
  ]
  expect(shown((terminal) => showRecord(terminal, row, fields, {}))).toBe(`\
NAME    山田 太郎
AMOUNT  1,000 JPY
STATUS  failed
`)
  const colored = shown((terminal) => showRecord(terminal, row, fields, {}), { has_color: true })
  expect(colored).toContain('\u001b[31mfailed\u001b[0m')
})

test('a name with control characters changes nothing on the screen', () => {
  const evil = [{ ...rows[0], name: '\u001b]0;title\u0007\nroot' } as Row]
  expect(shown((terminal) => showList(terminal, evil, columns, {}))).toContain(
    '01a1e56a-1171  \ufffd]0;title\ufffd\ufffdroot  1,000 JPY\n',
  )
})

test('times are to the second and in UTC', () => {
  expect(timeText('2026-01-31T09:00:00.123+09:00')).toBe('2026-01-31T00:00:00Z')
  expect(timeText(null)).toBe('')
})
