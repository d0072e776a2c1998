import { useEffect, useState } from 'react'
import { askOnce, prompts } from '../../api/prompts.ts'
import { Dialog } from '../../parts/overlays/dialog.tsx'
import { useWords } from '../../words/language.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { sign_in_words } from './sign-in-words.ts'
import './sign-in.css'

/** When the session has ended: a dialog over the screen, which keeps everything that was typed. */
export function SignInAgain({ email }: { email: string }) {
  const words = useWords(sign_in_words)
  const [response, setResponse] = useState<((done: boolean) => void) | null>(null)
  useEffect(() => {
    prompts.signIn = askOnce((resolve) => setResponse(() => resolve))
    return () => {
      prompts.signIn = null
    }
  }, [])
  return (
    <Dialog
      open={response !== null}
      close={() => {}}
      stays
      title={words.ended_title}
      text={words.ended_text}
    >
      <SignInForm
        email={email}
        done={() => {
          setResponse(null)
          response?.(true)
        }}
      />
    </Dialog>
  )
}
