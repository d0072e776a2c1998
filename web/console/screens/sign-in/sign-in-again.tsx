import { lazy, Suspense, useEffect, useState } from 'react'
import { askOnce, prompts } from '../../api/prompts.ts'

/** Most visits never need it. */
const EndedSession = lazy(async () => ({
  default: (await import('./ended-session.tsx')).EndedSession,
}))

/** When the session has ended: a dialog over the screen, which keeps everything that was typed. */
export function SignInAgain({ email }: { email: string }) {
  const [response, setResponse] = useState<((done: boolean) => void) | null>(null)
  useEffect(() => {
    prompts.signIn = askOnce((resolve) => setResponse(() => resolve))
    return () => {
      prompts.signIn = null
    }
  }, [])
  if (!response) return null
  const done = () => {
    setResponse(null)
    response(true)
  }
  return (
    <Suspense fallback={null}>
      <EndedSession email={email} done={done} />
    </Suspense>
  )
}
