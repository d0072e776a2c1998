import { queryText } from '../../../client/src/api-method.ts'
import { encodeCp932 } from '../../../src/core/text/cp932.ts'
import { type CsvValue, csvLine } from '../../../src/core/text/formats/csv.ts'
import { readCsv } from '../../../src/core/text/formats/read-csv.ts'
import { api_address, consoleHeaders, KaikeiError } from './call-api.ts'
import { saveFile } from './save-file.ts'

/** The parameters of a list; several values of one are repeated. */
export type ExportQuery = Readonly<Record<string, unknown>>
export type Encoding = 'utf-8' | 'cp932'

interface Download {
  /** The list that is exported: `transactions`. */
  list: string
  query: ExportQuery
  file_name: string
  encoding: Encoding
  /** The header of a column. */
  headerOf: (column: string) => string
  /** A cell as people read it. */
  cellOf: (column: string, text: string) => CsvValue
  /** Called as rows arrive. */
  progress: (rows: number) => void
  signal: AbortSignal
}

export interface Downloaded {
  readonly rows: number
  /** Characters that the encoding does not have. */
  readonly missing: number
  /** The first occurrences: row and column of the file. */
  readonly places: readonly { readonly row: number; readonly column: string }[]
}

const shown_places = 5
/** Rows in one piece of the file. */
const rows_of_piece = 500

/** Streams a list, writes it as people read it, and saves it as a file. */
export async function downloadCsv(download: Download): Promise<Downloaded> {
  const { list, query, file_name, encoding, headerOf, cellOf, progress, signal } = download
  const address = `${api_address}/exports/${list}.csv${queryText(query)}`
  const response = await fetch(address, { headers: consoleHeaders(), signal })
  if (!response.ok || !response.body) throw await readError(response)
  const file = newFile(encoding)
  let columns: readonly string[] = []
  let headers: readonly string[] = []
  let rows = 0
  for await (const { number, cells } of readCsv(textOf(response.body))) {
    if (number === 1) {
      columns = cells
      headers = cells.map(headerOf)
      file.write(1, headers, headers)
      continue
    }
    rows += 1
    const values = cells.map((text, at) => cellOf(columns[at] ?? '', text))
    file.write(rows + 1, values, headers)
    if (rows % rows_of_piece === 0) progress(rows)
  }
  saveFile(file.close(), file_name)
  return { rows, ...file.report() }
}

async function* textOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    yield decoder.decode(value, { stream: true })
  }
}

/** The pieces of a file, encoded as they are written. */
function newFile(encoding: Encoding) {
  const pieces: BlobPart[] = encoding === 'utf-8' ? ['\u{feff}'] : []
  const places: { row: number; column: string }[] = []
  let lines: string[] = []
  let missing = 0
  const flush = () => {
    if (lines.length === 0) return
    const text = lines.join('')
    pieces.push(encoding === 'utf-8' ? text : encodeCp932(text).bytes)
    lines = []
  }
  const count = (row: number, values: readonly CsvValue[], headers: readonly string[]) => {
    for (const [at, value] of values.entries()) {
      const found = typeof value === 'string' ? encodeCp932(value).missing : 0
      missing += found
      if (found > 0 && places.length < shown_places) places.push({ row, column: headers[at] ?? '' })
    }
  }
  return {
    write: (row: number, values: readonly CsvValue[], headers: readonly string[]) => {
      if (encoding === 'cp932') count(row, values, headers)
      lines.push(csvLine(values))
      if (lines.length >= rows_of_piece) flush()
    },
    close: () => {
      flush()
      return new Blob(pieces, { type: 'text/csv' })
    },
    report: () => ({ missing, places }),
  }
}

async function readError(response: Response): Promise<KaikeiError> {
  const body = await response.json().catch(() => ({}))
  const request_id = response.headers.get('x-request-id')
  const details = { status: response.status, request_id, body }
  return new KaikeiError(body.code ?? 'UNREADABLE_RESPONSE', body.message ?? '', details)
}
