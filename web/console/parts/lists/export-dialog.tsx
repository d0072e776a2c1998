import { useRef, useState } from 'react'
import { type Downloaded, downloadCsv, type Encoding } from '../../api/download-csv.ts'
import { currentMode } from '../../api/mode.ts'
import { readStored, writeStored } from '../../api/url-state.ts'
import { startOfDay } from '../../api/zone-days.ts'
import { export_words } from '../../words/export-words.ts'
import { formatNumber } from '../../words/format-values.ts'
import { useLanguage, useWords } from '../../words/language.tsx'
import { part_words } from '../../words/part-words.ts'
import { Button } from '../forms/button.tsx'
import { CheckField, FormError, SelectField, TextField } from '../forms/form-fields.tsx'
import { Dialog, DialogActions } from '../overlays/dialog.tsx'
import { useTimeFrame } from '../values/time-text.tsx'
import type { ExportProps } from './export-button.tsx'
import { useExportCells } from './export-cells.ts'

const stored_encoding = 'console_export_encoding'
type Period = 'as_filtered' | 'last_month' | 'own_range'

/** Which rows, which characters, and how far it is. */
export function ExportDialog({
  list,
  query,
  settled = [],
  is_whole,
  close,
}: ExportProps & { close: () => void }) {
  const words = useWords(export_words)
  const { language } = useLanguage()
  const range = useRange()
  const cells = useExportCells()
  const [encoding, setEncoding] = useState<Encoding>(
    readStored(stored_encoding) === 'cp932' ? 'cp932' : 'utf-8',
  )
  const [adds_settled, setAddsSettled] = useState(settled.length > 0)
  const [rows, setRows] = useState<number | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [done, setDone] = useState<Downloaded | null>(null)
  const stop = useRef<AbortController | null>(null)
  const { columns } = query
  const chosen = columns && adds_settled ? { columns: [columns, ...settled].join(',') } : {}
  const start = async () => {
    stop.current = new AbortController()
    const { signal } = stop.current
    setRows(0)
    setError(null)
    setDone(null)
    const file_name = `${list}-${currentMode()}-${range.name}.csv`
    const wanted = { ...query, ...range.query, ...chosen }
    try {
      setDone(
        await downloadCsv({
          list,
          query: wanted,
          file_name,
          encoding,
          ...cells,
          progress: setRows,
          signal,
        }),
      )
    } catch (refused) {
      if (!signal.aborted) setError(refused)
    } finally {
      setRows(null)
    }
  }
  const leave = () => {
    stop.current?.abort()
    close()
  }
  return (
    <Dialog open close={leave} title={words.title} text={words.text}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          void start()
        }}
      >
        {!is_whole && <RangeFields range={range} />}
        <SelectField
          label={words.encoding}
          value={encoding}
          options={[
            ['utf-8', words.utf8],
            ['cp932', words.cp932],
          ]}
          onChange={(event) => {
            setEncoding(event.target.value as Encoding)
            writeStored(stored_encoding, event.target.value)
          }}
        />
        {settled.length > 0 && (
          <CheckField
            label={words.with_settled}
            checked={adds_settled}
            onChange={(event) => setAddsSettled(event.target.checked)}
          />
        )}
        <FormError error={error} />
        <ExportState rows={rows} done={done} />
        <DialogActions close={leave}>
          <Button kind="primary" type="submit" busy={rows !== null}>
            {done ? `${words.start} (${formatNumber(done.rows, language)})` : words.start}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** How far it is, and what could not be written. */
function ExportState({ rows, done }: { rows: number | null; done: Downloaded | null }) {
  const words = useWords(export_words)
  const parts = useWords(part_words)
  const { language } = useLanguage()
  const number = (value: number) => formatNumber(value, language)
  const places = done?.places.map(({ row, column }) => words.place(number(row), column)) ?? []
  return (
    <div role="status">
      {rows !== null && <p>{parts.export_progress(number(rows))}</p>}
      {done && <p>{words.ended(number(done.rows))}</p>}
      {done && done.missing > 0 && (
        <p>
          {words.missing(number(done.missing), places.join(language === 'ja' ? '、' : '; '))}
          {done.missing > places.length && ' …'}
        </p>
      )}
    </div>
  )
}

/** The period of the file: the one on the screen, last month, or other days. */
function useRange() {
  const { zone, now } = useTimeFrame()
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(now)
  const month = monthBefore(today)
  const [period, setPeriod] = useState<Period>('as_filtered')
  const [from, setFrom] = useState(month.from)
  const [to, setTo] = useState(month.to)
  const days = period === 'last_month' ? month : { from, to }
  const is_own = period !== 'as_filtered'
  return {
    ...{ period, setPeriod, from, setFrom, to, setTo },
    query: is_own ? { from: startOfDay(days.from, zone), to: startOfDay(days.to, zone, 1) } : {},
    name: is_own ? `${days.from}-${days.to}` : today,
  }
}

/** The first and last day of the month before that of a day. */
function monthBefore(day: string): { from: string; to: string } {
  const [year = 0, month = 1] = day.split('-').map(Number)
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
  return { from: dayOf(Date.UTC(year, month - 2, 1)), to: dayOf(Date.UTC(year, month - 1, 0)) }
}

function RangeFields({ range }: { range: ReturnType<typeof useRange> }) {
  const words = useWords(export_words)
  return (
    <>
      <SelectField
        label={words.period}
        value={range.period}
        options={(['as_filtered', 'last_month', 'own_range'] as const).map((name) => [
          name,
          words[name],
        ])}
        onChange={(event) => range.setPeriod(event.target.value as Period)}
      />
      {range.period === 'own_range' && (
        <>
          <TextField
            label={words.from}
            type="date"
            required
            value={range.from}
            onChange={(event) => range.setFrom(event.target.value)}
          />
          <TextField
            label={words.to}
            type="date"
            required
            min={range.from}
            value={range.to}
            onChange={(event) => range.setTo(event.target.value)}
          />
        </>
      )}
    </>
  )
}
