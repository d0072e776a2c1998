import { Readable } from 'node:stream'
import type { Caller } from '../../core/access/caller.ts'
import { fail } from '../../core/api/errors.ts'
import { newFairShares } from '../../core/limits/fair-share.ts'
import { csvLine } from '../../core/text/formats/csv.ts'
import type { Service } from '../../service.ts'
import type { PageQuery } from '../../store/sql/reads/page.ts'
import { cellOf, type ExportName, exportedList } from './export-lists.ts'

/** Rows of one statement: memory holds two pages at most. */
const page_size = 100
/** Exports of a process at the same time, and of one merchant. */
const max_exports = 8
const max_of_merchant = 2
const running = newFairShares()

export interface CsvExport {
  readonly stream: Readable
  /** Known when there is one page only. */
  readonly total_rows: number | null
}

interface Wanted {
  readonly list: ExportName
  readonly columns: readonly string[]
  readonly filters: object
  readonly with_bom: boolean
}

/**
 * A list as CSV. Its pages are read one after the other, each when the receiver has taken the previous
 * one, so that an export of any size needs the memory of a page. The first page is read before
 * anything is sent: a wrong filter is refused like any other request.
 */
export async function writeCsv(
  service: Service,
  caller: Caller,
  { list, columns, filters, with_bom }: Wanted,
): Promise<CsvExport> {
  const { read, cursor: cursor_field, columns: fields, more } = exportedList(list)
  const wants_more = more && columns.some((name) => more.columns.includes(name))
  const shown = columns.map((name) => fields[name] ?? name)
  const readAfter = async (cursor?: string) => {
    const page: PageQuery = { cursor_direction: 'desc', ...filters, limit: page_size }
    const rows = await read(service, caller, cursor === undefined ? page : { ...page, cursor })
    if (!wants_more || rows.items.length === 0) return rows
    const added = await more.read(service, caller, rows.items)
    const items = rows.items.map((row) => ({ ...row, ...added.get(String(row[cursor_field])) }))
    return { ...rows, items }
  }
  const release = takeSlot(caller.merchant_id)
  const first = await readAfter().catch((error) => {
    release()
    throw error
  })
  async function* lines() {
    try {
      yield `${with_bom ? '\u{feff}' : ''}${csvLine(columns)}`
      let page = first
      for (;;) {
        yield page.items.map((row) => csvLine(shown.map((field) => cellOf(row, field)))).join('')
        const last = page.items.at(-1)
        if (!page.has_more || !last) return
        page = await readAfter(String(cellOf(last, cursor_field)))
      }
    } finally {
      release()
    }
  }
  const stream = Readable.from(lines(), { objectMode: false, highWaterMark: 1 })
  // A receiver that leaves before the first line was read never starts the generator.
  stream.once('close', release)
  return { stream, total_rows: first.has_more ? null : first.items.length }
}

/** Takes a slot for an export; the result gives it back, once. */
function takeSlot(merchant_id: string): () => void {
  const own = running.held.get(merchant_id) ?? 0
  if (own >= max_of_merchant || !running.mayTake(merchant_id, max_exports)) {
    fail('SERVICE_UNAVAILABLE', {
      message: `At most ${max_of_merchant} exports run at the same time; wait until one has ended.`,
      retry_after_s: 10,
    })
  }
  running.take(merchant_id)
  let is_held = true
  return () => {
    if (is_held) running.release(merchant_id)
    is_held = false
  }
}
