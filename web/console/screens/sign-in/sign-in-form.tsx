import { type FormEvent, useState } from 'react'
import { type ConsoleSession, callApiAsIs, KaikeiError } from '../../api/call-api.ts'
import { Button } from '../../parts/forms/button.tsx'
import { FormError, TextField } from '../../parts/forms/form-fields.tsx'
import { useWords } from '../../words/language.tsx'
import { sign_in_words } from './sign-in-words.ts'

interface Props {
  /** Set when the session of this person has ended. */
  email?: string
  done: (session: ConsoleSession) => void
  forgot?: () => void
}

type Step = 'password' | 'totp' | 'recovery_code'

/** E-mail and password, then a code when the account has a second factor. */
export function SignInForm({ email: known_email, done, forgot }: Props) {
  const words = useWords(sign_in_words)
  const [step, setStep] = useState<Step>('password')
  const [email, setEmail] = useState(known_email ?? '')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(null)
    const factor = step === 'password' ? {} : { [step]: code.trim() }
    try {
      const body = { email, password, ...factor }
      done(await callApiAsIs((api) => api.users.createConsoleSession(body)))
    } catch (refused) {
      setBusy(false)
      const asks = refused instanceof KaikeiError && refused.code === 'TOTP_REQUIRED'
      if (asks && step === 'password') setStep('totp')
      else setError(refused)
    }
  }
  return (
    <form className="sign-in-form" onSubmit={(event) => void submit(event)}>
      {step === 'password' ? (
        <>
          <TextField
            label={words.email}
            type="email"
            autoComplete="username"
            required
            readOnly={known_email !== undefined}
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
          <TextField
            label={words.password}
            type="password"
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </>
      ) : (
        <CodeField step={step} code={code} setCode={setCode} />
      )}
      <FormError error={error} />
      <Button kind="primary" type="submit" busy={busy}>
        {words.sign_in}
      </Button>
      {step === 'password' && forgot && (
        <Button kind="quiet" onClick={forgot}>
          {words.forgot}
        </Button>
      )}
      {step !== 'password' && (
        <Button
          kind="quiet"
          onClick={() => {
            setCode('')
            setStep(step === 'totp' ? 'recovery_code' : 'totp')
          }}
        >
          {step === 'totp' ? words.use_recovery : words.use_code}
        </Button>
      )}
    </form>
  )
}

interface CodeProps {
  step: 'totp' | 'recovery_code'
  code: string
  setCode: (code: string) => void
}

function CodeField({ step, code, setCode }: CodeProps) {
  const words = useWords(sign_in_words)
  const is_app = step === 'totp'
  return (
    <TextField
      key={step}
      label={is_app ? words.code : words.recovery_code}
      hint={is_app ? words.code_hint : words.recovery_hint}
      inputMode={is_app ? 'numeric' : 'text'}
      autoComplete="one-time-code"
      autoFocus
      required
      value={code}
      onChange={(event) => setCode(event.target.value)}
    />
  )
}
