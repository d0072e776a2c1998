import { queryText } from '../../../client/src/api-method.ts'
import { api_address, consoleHeaders, KaikeiError } from './call-api.ts'
import { saveFile } from './save-file.ts'

/** The parameters of a list; several values of one are repeated. */
export type ExportQuery = Readonly<Record<string, unknown>>

interface Download {
  /** The list that is exported: `transactions`. */
  list: string
  query: ExportQuery
  file_name: string
  /** Called as rows arrive. */
  progress: (rows: number) => void
  signal: AbortSignal
}

const line_end = 10

/** Streams a CSV and saves it as a file; returns the number of its rows. */
export async function downloadCsv(download: Download): Promise<number> {
  const { list, query, file_name, progress, signal } = download
  const address = `${api_address}/exports/${list}.csv${queryText(query)}`
  const response = await fetch(address, { headers: consoleHeaders(), signal })
  if (!response.ok || !response.body) throw await readError(response)
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let lines = 0
  const reader = response.body.getReader()
  for (;;) {
    const { value, done } = await reader.read()
    if (done) break
    pieces.push(value)
    for (const byte of value) if (byte === line_end) lines += 1
    progress(Math.max(lines - 1, 0))
  }
  saveFile(new Blob(pieces, { type: 'text/csv' }), file_name)
  return Math.max(lines - 1, 0)
}

async function readError(response: Response): Promise<KaikeiError> {
  const body = await response.json().catch(() => ({}))
  const request_id = response.headers.get('x-request-id')
  const details = { status: response.status, request_id, body }
  return new KaikeiError(body.code ?? 'UNREADABLE_RESPONSE', body.message ?? '', details)
}
