import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, lazy, Suspense, useState } from 'react'
import { useChange } from '../../api/api-hooks.ts'
import type { UserSession } from '../../api/call-api.ts'
import { sessionKey, useSession } from '../../api/session.tsx'
import { Button } from '../../parts/forms/button.tsx'
import { FormError, TextField, useFieldErrors } from '../../parts/forms/form-fields.tsx'
import type { Column } from '../../parts/lists/data-table.tsx'
import { ListView } from '../../parts/lists/list-view.tsx'
import { useToast } from '../../parts/overlays/toasts.tsx'
import { TimeText } from '../../parts/values/time-text.tsx'
import { agentText } from '../../words/agent-text.ts'
import { useWords } from '../../words/language.tsx'
import { settings_words } from './settings-words.ts'

/** With the drawing of its QR code, which is needed once. */
const TotpDialog = lazy(async () => ({
  default: (await import('./totp-dialog.tsx')).TotpDialog,
}))

/** The sign-in of the person: second factor, password, sessions. */
export function SecuritySettings() {
  const words = useWords(settings_words)
  const { user } = useSession()
  const [is_open, setOpen] = useState(false)
  return (
    <>
      <section>
        <h2>{words.second_factor}</h2>
        <p className="none-yet">{user.totp_enabled ? words.totp_is_on : words.totp_is_off}</p>
        <div className="tab-actions">
          <Button kind={user.totp_enabled ? 'plain' : 'primary'} onClick={() => setOpen(true)}>
            {words.totp_start}
          </Button>
        </div>
        <Suspense>{is_open && <TotpDialog close={() => setOpen(false)} />}</Suspense>
      </section>
      <PasswordForm />
      <Sessions />
    </>
  )
}

function PasswordForm() {
  const words = useWords(settings_words)
  const toast = useToast()
  const queries = useQueryClient()
  const { user, has_password } = useSession()
  const title = has_password ? words.change_password : words.first_password
  const [password, setPassword] = useState('')
  const [new_password, setNewPassword] = useState('')
  const change = useChange(
    (api) => api.users.changePassword(has_password ? { password, new_password } : { new_password }),
    [],
  )
  const fieldError = useFieldErrors(change.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate(undefined, {
      onSuccess: () => {
        toast(words.password_changed)
        // Every session has ended, this one too.
        queries.setQueryData(sessionKey(), null)
      },
    })
  }
  return (
    <section className="section">
      <h2>{title}</h2>
      {!has_password && <p className="none-yet">{words.first_password_text(user.email)}</p>}
      <form className="settings-form" noValidate onSubmit={submit}>
        <input type="text" autoComplete="username" value={user.email} readOnly hidden />
        {has_password && (
          <TextField
            label={words.password}
            type="password"
            autoComplete="current-password"
            value={password}
            error={fieldError('password')}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
        <TextField
          label={words.new_password}
          type="password"
          autoComplete="new-password"
          hint={words.password_hint}
          value={new_password}
          error={fieldError('new_password')}
          onChange={(event) => setNewPassword(event.target.value)}
        />
        <FormError error={change.error} fields={['password', 'new_password']} />
        <Button
          type="submit"
          busy={change.isPending}
          disabled={(has_password && !password) || !new_password}
        >
          {title}
        </Button>
      </form>
    </section>
  )
}

function Sessions() {
  const words = useWords(settings_words)
  const toast = useToast()
  const end = useChange((api, id: string) => api.users.deleteSession(id), ['users.listSessions'])
  const columns: readonly Column<UserSession>[] = [
    {
      name: 'agent',
      label: words.session,
      phone: 'title',
      show: ({ user_agent, is_current }) => (
        <span title={user_agent}>
          {agentText(user_agent) || '–'} {is_current && <strong>{words.here}</strong>}
        </span>
      ),
    },
    {
      name: 'address',
      label: words.address,
      phone: 'note',
      show: ({ ip_address }) => ip_address,
    },
    { name: 'used', label: words.used, show: ({ used_on }) => <TimeText at={used_on} /> },
    {
      name: 'end',
      label: '',
      align: 'right',
      phone: 'value',
      show: ({ id, is_current }) =>
        !is_current && (
          <Button
            kind="quiet"
            small
            onClick={() => end.mutate(id, { onSuccess: () => toast(words.ended) })}
          >
            {words.end}
          </Button>
        ),
    },
  ]
  return (
    <section className="section">
      <h2>{words.sessions}</h2>
      <FormError error={end.error} />
      <ListView
        label={words.sessions}
        columns={columns}
        read={(api, query) => api.users.listSessions(query)}
        idOf={({ id }) => id}
        empty={{ icon: 'user', title: words.sessions, text: '' }}
      />
    </section>
  )
}
