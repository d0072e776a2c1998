import { lazy, Suspense, useState } from 'react'
import type { ExportQuery } from '../../api/download-csv.ts'
import { useWords } from '../../words/language.tsx'
import { part_words } from '../../words/part-words.ts'
import { Button } from '../forms/button.tsx'

/** A separate chunk, because most visits save no file. */
const ExportDialog = lazy(async () => ({
  default: (await import('./export-dialog.tsx')).ExportDialog,
}))

export interface ExportProps {
  list: string
  /** The filters and columns of the list, as they are shown. */
  query: ExportQuery
  /** Columns that can be added: what an accountant needs beside what is shown. */
  settled?: readonly string[]
  /** The list has no period to choose. */
  is_whole?: boolean
}

/** The file of exactly what is shown, in the language and zone of the screen. */
export function ExportButton(props: ExportProps) {
  const words = useWords(part_words)
  const [is_open, setOpen] = useState(false)
  return (
    <>
      <Button small icon="download" onClick={() => setOpen(true)}>
        {words.export_csv}
      </Button>
      {is_open && (
        <Suspense fallback={null}>
          <ExportDialog {...props} close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
