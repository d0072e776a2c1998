/** A file is refused whose lines are larger: no file takes more memory than a line. */
const max_row_length = 64 * 1024

/** A file that is no CSV; the message says where. */
export class CsvFault extends Error {}

export interface CsvRow {
  /** The number of the row, from 1, with the row of names. */
  readonly number: number
  readonly cells: readonly string[]
}

/** The state of the reader: before a cell, in a cell, in a quoted cell, or after its closing quote. */
type Place = 'start' | 'plain' | 'quoted' | 'closed'

/**
 * Reads CSV as RFC 4180 has it, part by part: quoted cells may have commas, quotes and line breaks, rows end
 * with CRLF or LF. Empty rows are left out.
 */
export async function* readCsv(parts: AsyncIterable<string>): AsyncGenerator<CsvRow> {
  let place: Place = 'start'
  let cells: string[] = []
  let cell = ''
  let length = 0
  let number = 1
  let is_first = true
  const faultAt = (what: string) => new CsvFault(`Row ${number} ${what}.`)
  for await (const part of parts) {
    const text: string = is_first ? part.replace(/^\ufeff/, '') : part
    is_first = is_first && part === ''
    for (const letter of text) {
      length += 1
      if (length > max_row_length) throw faultAt('is longer than 64 KB')
      if (place === 'quoted') {
        if (letter === '"') place = 'closed'
        else cell += letter
      } else if (letter === '"' && place === 'closed') {
        cell += letter
        place = 'quoted'
      } else if (letter === '"' && place === 'start') place = 'quoted'
      else if (letter === '"') throw faultAt('has a quote inside of a cell without quotes')
      else if (letter === ',' || letter === '\n') {
        cells.push(cell)
        cell = ''
        place = 'start'
        if (letter === ',') continue
        if (cells.length > 1 || cells[0] !== '') yield { number, cells }
        cells = []
        length = 0
        number += 1
      } else if (letter !== '\r') {
        if (place === 'closed') throw faultAt('has text after a closing quote')
        cell += letter
        place = 'plain'
      }
    }
  }
  if (place === 'quoted') throw faultAt('has a quote that is not closed')
  if (cell !== '' || cells.length > 0) yield { number, cells: [...cells, cell] }
}
