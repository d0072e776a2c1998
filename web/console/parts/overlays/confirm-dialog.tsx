import { useState } from 'react'
import { callApiAsIs } from '../../api/call-api.ts'
import { useSession } from '../../api/session.tsx'
import { useWords } from '../../words/language.tsx'
import { part_words } from '../../words/part-words.ts'
import { Button } from '../forms/button.tsx'
import { FormError, TextField } from '../forms/form-fields.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

/** The code, or the password without a second factor. */
export function ConfirmDialog({ end }: { end: (done: boolean) => void }) {
  const words = useWords(part_words)
  const { user } = useSession()
  const { totp_enabled: with_code } = user
  const [text, setText] = useState('')
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    try {
      const body = with_code ? { totp: text.replaceAll(/\s/g, '') } : { password: text }
      await callApiAsIs((api) => api.users.confirmConsoleSession(body))
      end(true)
    } catch (refused) {
      setError(refused)
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      close={() => end(false)}
      title={words.confirm_title}
      text={with_code ? words.confirm_code_text : words.confirm_password_text}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void confirm()
        }}
      >
        {/* Password managers need to know whose it is. */}
        <input type="text" autoComplete="username" value={user.email} readOnly hidden />
        {with_code ? (
          <TextField
            label={words.code}
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        ) : (
          <TextField
            label={words.password}
            type="password"
            autoComplete="current-password"
            required
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
        <FormError error={error} />
        <DialogActions close={() => end(false)}>
          <Button kind="primary" type="submit" busy={busy}>
            {words.confirm}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
