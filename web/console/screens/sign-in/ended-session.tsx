import { Dialog } from '../../parts/overlays/dialog.tsx'
import { useWords } from '../../words/language.tsx'
import { DemoSignIn } from './demo-sign-in.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { sign_in_words } from './sign-in-words.ts'
import './sign-in.css'

/** The dialog over a screen whose session has ended. */
export function EndedSession({ email, done }: { email: string; done: () => void }) {
  const words = useWords(sign_in_words)
  return (
    <Dialog open close={() => {}} stays title={words.ended_title} text={words.ended_text}>
      <SignInForm email={email} done={done} />
      <DemoSignIn />
    </Dialog>
  )
}
