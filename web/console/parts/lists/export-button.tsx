import { useRef, useState } from 'react'
import { downloadCsv, type ExportQuery } from '../../api/download-csv.ts'
import { currentMode } from '../../api/mode.ts'
import { formatNumber } from '../../words/format-values.ts'
import { useLanguage, useWords } from '../../words/language.tsx'
import { errorText, part_words } from '../../words/part-words.ts'
import { Button } from '../forms/button.tsx'
import { useToast } from '../overlays/toasts.tsx'

interface Props {
  list: string
  /** The filters and columns of the list, as they are shown. */
  query: ExportQuery
}

/** The CSV of exactly what is shown; rows are counted as they arrive. */
export function ExportButton({ list, query }: Props) {
  const words = useWords(part_words)
  const { language } = useLanguage()
  const toast = useToast()
  const [rows, setRows] = useState<number | null>(null)
  const stop = useRef<AbortController | null>(null)
  const start = async () => {
    stop.current = new AbortController()
    setRows(0)
    const day = new Date().toISOString().slice(0, 10)
    const file_name = `${list}-${currentMode()}-${day}.csv`
    try {
      const { signal } = stop.current
      const count = await downloadCsv({ list, query, file_name, progress: setRows, signal })
      toast(words.export_done(formatNumber(count, language)))
    } catch (error) {
      if (!stop.current.signal.aborted) toast(errorText(error, language))
    } finally {
      setRows(null)
    }
  }
  if (rows === null) {
    return (
      <Button small icon="download" onClick={() => void start()}>
        {words.export_csv}
      </Button>
    )
  }
  return (
    <Button small icon="close" onClick={() => stop.current?.abort()} title={words.export_stop}>
      {words.export_progress(formatNumber(rows, language))}
    </Button>
  )
}
