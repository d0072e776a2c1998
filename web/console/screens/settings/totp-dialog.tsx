import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { renderSVG } from 'uqr'
import { useChange } from '../../api/api-hooks.ts'
import { sessionKey, useSession } from '../../api/session.tsx'
import { Button } from '../../parts/forms/button.tsx'
import { FormError, TextField, useFieldErrors } from '../../parts/forms/form-fields.tsx'
import { Dialog, DialogActions } from '../../parts/overlays/dialog.tsx'
import { CodeBlock } from '../../parts/values/code-block.tsx'
import { useWords } from '../../words/language.tsx'
import { settings_words } from './settings-words.ts'

/** A code of the app, or a recovery code. */
function factorOf(text: string): { totp: string } | { recovery_code: string } {
  const code = text.replaceAll(/\s/g, '')
  return /^\d{6}$/.test(code) ? { totp: code } : { recovery_code: text.trim() }
}

/**
 * Three steps: the password, and a code of an app that is replaced; the app's first code; the
 * recovery codes.
 */
export function TotpDialog({ close }: { close: () => void }) {
  const words = useWords(settings_words)
  const queries = useQueryClient()
  const { user } = useSession()
  const [text, setText] = useState('')
  const [current, setCurrent] = useState('')
  const replaces = user.totp_enabled
  const start = useChange(
    (api) => api.users.startTotp({ password: text, ...(replaces ? factorOf(current) : {}) }),
    [],
  )
  const confirm = useChange((api) => api.users.confirmTotp({ totp: text }), [])
  const step = confirm.data ? 'done' : start.data ? 'code' : 'password'
  const error = confirm.error ?? start.error
  const fieldError = useFieldErrors(error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const change = step === 'password' ? start : confirm
    change.mutate(undefined, { onSuccess: () => setText('') })
  }
  const end = () => {
    if (step === 'done') void queries.invalidateQueries({ queryKey: sessionKey().slice(0, 1) })
    close()
  }
  if (confirm.data) return <RecoveryCodes codes={confirm.data.recovery_codes} end={end} />
  return (
    <Dialog
      open
      close={end}
      title={words.totp_start}
      {...(start.data ? { text: words.totp_text } : {})}
    >
      <form noValidate onSubmit={submit}>
        {start.data && (
          <>
            <img
              className="totp-image"
              alt=""
              src={`data:image/svg+xml,${encodeURIComponent(renderSVG(start.data.otpauth_url))}`}
            />
            <CodeBlock title={words.totp_secret} value={start.data.secret} />
          </>
        )}
        <input type="text" autoComplete="username" value={user.email} readOnly hidden />
        {step === 'password' ? (
          <>
            <TextField
              key="password"
              label={words.password}
              type="password"
              autoComplete="current-password"
              value={text}
              error={fieldError('password')}
              onChange={(event) => setText(event.target.value)}
            />
            {replaces && (
              <TextField
                key="current"
                label={words.totp_current}
                autoComplete="one-time-code"
                value={current}
                error={fieldError('totp') ?? fieldError('recovery_code')}
                onChange={(event) => setCurrent(event.target.value)}
              />
            )}
          </>
        ) : (
          <TextField
            key="code"
            label={words.totp_code}
            inputMode="numeric"
            autoComplete="one-time-code"
            value={text}
            error={fieldError('totp')}
            onChange={(event) => setText(event.target.value)}
          />
        )}
        <FormError error={error} fields={['password', 'totp', 'recovery_code']} />
        <DialogActions close={end}>
          <Button
            kind="primary"
            type="submit"
            busy={start.isPending || confirm.isPending}
            disabled={text === '' || (step === 'password' && replaces && current === '')}
          >
            {step === 'password' ? words.totp_start : words.totp_confirm}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function RecoveryCodes({ codes, end }: { codes: readonly string[]; end: () => void }) {
  const words = useWords(settings_words)
  return (
    <Dialog open close={end} title={words.recovery} text={words.totp_done} stays>
      <CodeBlock title={words.recovery} value={codes.join('\n')} />
      <DialogActions>
        <Button kind="primary" onClick={end}>
          {words.done}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
