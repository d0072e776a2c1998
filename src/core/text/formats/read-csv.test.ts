import { expect, test } from 'vitest'
import { CsvFault, readCsv } from './read-csv.ts'

async function read(...parts: string[]): Promise<(readonly string[])[]> {
  async function* source() {
    yield* parts
  }
  const rows: (readonly string[])[] = []
  for await (const { cells } of readCsv(source())) rows.push(cells)
  return rows
}

test.each([
  [
    'a,b\r\n1,2\r\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    '\ufeffa,b\n1,2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  ['"a, ""b""","c\r\nd"\r\n', [['a, "b"', 'c\r\nd']]],
  [
    'a,,\n\n,b,\n',
    [
      ['a', '', ''],
      ['', 'b', ''],
    ],
  ],
  ['"",x\n', [['', 'x']]],
  ['', []],
])('%j is read', async (text, rows) => {
  expect(await read(text)).toEqual(rows)
  // However it is cut.
  expect(await read(...text)).toEqual(rows)
})

test.each([
  ['a\nb"c', 'Row 2 has a quote inside of a cell without quotes.'],
  ['"a"b', 'Row 1 has text after a closing quote.'],
  ['a\n"b', 'Row 2 has a quote that is not closed.'],
  [`a\n${'x'.repeat(70_000)}`, 'Row 2 is longer than 64 KB.'],
])('%j is refused', async (text, message) => {
  await expect(read(text)).rejects.toThrow(new CsvFault(message))
})
