import { useWords } from '../../words/language.tsx'
import { sign_in_words } from './sign-in-words.ts'

/** The command works on the machine of the service only, so the page shows it there only. */
const is_own_machine = ['localhost', '127.0.0.1', '[::1]'].includes(window.location.hostname)

/** The way in for a demo user without a password. */
export function DemoSignIn() {
  const words = useWords(sign_in_words)
  if (!is_own_machine) return null
  return (
    <section className="sign-in-demo">
      <p>{words.demo}</p>
      <code>npm run -s kaikei -- open console</code>
      <p>{words.demo_password}</p>
    </section>
  )
}
