import { lazy, Suspense, useEffect, useState } from 'react'
import { askOnce, prompts } from '../../api/prompts.ts'

/** Loaded when it is opened. */
const ConfirmDialog = lazy(async () => ({
  default: (await import('./confirm-dialog.tsx')).ConfirmDialog,
}))

/** Asks for the code, or the password without a second factor, when a call must be confirmed. */
export function ConfirmAgain() {
  const [response, setResponse] = useState<((done: boolean) => void) | null>(null)
  useEffect(() => {
    prompts.confirm = askOnce((resolve) => setResponse(() => resolve))
    return () => {
      prompts.confirm = null
    }
  }, [])
  if (!response) return null
  const end = (done: boolean) => {
    setResponse(null)
    response(done)
  }
  return (
    <Suspense>
      <ConfirmDialog end={end} />
    </Suspense>
  )
}
