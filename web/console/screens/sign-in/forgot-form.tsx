import { type FormEvent, useState } from 'react'
import { callApiAsIs } from '../../api/call-api.ts'
import { Button } from '../../parts/forms/button.tsx'
import { FormError, TextField, useFieldErrors } from '../../parts/forms/form-fields.tsx'
import { useWords } from '../../words/language.tsx'
import { sign_in_words } from './sign-in-words.ts'

/** Sends a link to choose a new password; it never says whether there is such an account. */
export function ForgotForm({ back }: { back: () => void }) {
  const words = useWords(sign_in_words)
  const [email, setEmail] = useState('')
  const [state, setState] = useState<'asking' | 'sending' | 'sent'>('asking')
  const [error, setError] = useState<unknown>(null)
  const fieldError = useFieldErrors(error)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setState('sending')
    try {
      await callApiAsIs((api) => api.users.requestPasswordReset({ email }))
      setState('sent')
    } catch (refused) {
      setError(refused)
      setState('asking')
    }
  }
  return (
    <form className="sign-in-form" onSubmit={(event) => void submit(event)}>
      {state === 'sent' ? (
        <p role="status">{words.sent}</p>
      ) : (
        <>
          <p>{words.forgot_text}</p>
          <TextField
            label={words.email}
            type="email"
            autoComplete="username"
            autoFocus
            required
            value={email}
            error={fieldError('email')}
            onChange={(event) => setEmail(event.target.value)}
          />
          <FormError error={error} fields={['email']} />
          <Button kind="primary" type="submit" busy={state === 'sending'}>
            {words.send_link}
          </Button>
        </>
      )}
      <Button kind="quiet" onClick={back}>
        {words.back}
      </Button>
    </form>
  )
}
