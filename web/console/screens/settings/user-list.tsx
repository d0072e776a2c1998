import { type FormEvent, useState } from 'react'
import { useChange } from '../../api/api-hooks.ts'
import type { CreateUser, ListUsersQuery, ManagedUser, UpdateUser } from '../../api/call-api.ts'
import { useCan } from '../../api/session.tsx'
import { Button } from '../../parts/forms/button.tsx'
import {
  FormError,
  SelectField,
  TextField,
  useFieldErrors,
} from '../../parts/forms/form-fields.tsx'
import type { Column } from '../../parts/lists/data-table.tsx'
import type { Filter } from '../../parts/lists/filters.tsx'
import { ListView } from '../../parts/lists/list-view.tsx'
import { Dialog, DialogActions } from '../../parts/overlays/dialog.tsx'
import { useToast } from '../../parts/overlays/toasts.tsx'
import { MissingRight } from '../../parts/screen/missing-right.tsx'
import { CodeBlock } from '../../parts/values/code-block.tsx'
import { StatusBadge } from '../../parts/values/status-badge.tsx'
import { useLanguage, useWords } from '../../words/language.tsx'
import { settings_words } from './settings-words.ts'

type Role = ManagedUser['role']

/** Everybody who can sign in, with their role. */
export function UserList() {
  const words = useWords(settings_words)
  const may_change = useCan('users:write')
  const [open, setOpen] = useState<ManagedUser | 'new' | null>(null)
  const filters: readonly Filter[] = [
    { kind: 'choice', name: 'disabled', label: words.state, options: [['true', words.disabled]] },
  ]
  const columns: readonly Column<ManagedUser>[] = [
    { name: 'name', label: words.name, phone: 'title', show: ({ name }) => name },
    { name: 'email', label: words.email, phone: 'note', show: ({ email }) => email },
    { name: 'role', label: words.role, phone: 'side', show: ({ role }) => words.roles[role] },
    {
      name: 'factor',
      label: words.second_factor,
      show: ({ totp_enabled }) => (totp_enabled ? words.factor_on : words.factor_off),
    },
    { name: 'state', label: words.state, show: (user) => <UserState user={user} /> },
    {
      name: 'change',
      label: '',
      align: 'right',
      phone: 'value',
      show: (user) =>
        may_change && (
          <Button kind="quiet" small onClick={() => setOpen(user)}>
            {words.change}
          </Button>
        ),
    },
  ]
  return (
    <>
      <MissingRight right="users:write" />
      {may_change && (
        <div className="tab-actions">
          <Button kind="primary" icon="plus" onClick={() => setOpen('new')}>
            {words.invite}
          </Button>
        </div>
      )}
      <ListView
        label={words.users_list}
        columns={columns}
        filters={filters}
        read={(api, query) => api.users.list(query as ListUsersQuery)}
        idOf={({ id }) => id}
        empty={{ icon: 'user', title: words.users_list, text: '' }}
      />
      {open === 'new' && <InviteDialog close={() => setOpen(null)} />}
      {open && open !== 'new' && <UserDialog user={open} close={() => setOpen(null)} />}
    </>
  )
}

function UserState({ user }: { user: ManagedUser }) {
  const words = useWords(settings_words)
  if (user.disabled_on) return <StatusBadge status="canceled" word={words.disabled} />
  return user.has_password ? (
    <StatusBadge status="active" word={words.active} />
  ) : (
    <StatusBadge status="awaiting" word={words.invited_state} />
  )
}

function RoleField({ role, choose }: { role: Role; choose: (role: Role) => void }) {
  const words = useWords(settings_words)
  return (
    <SelectField
      label={words.role}
      value={role}
      hint={words.role_texts[role]}
      options={Object.entries(words.roles)}
      onChange={(event) => choose(event.target.value as Role)}
    />
  )
}

function InviteDialog({ close }: { close: () => void }) {
  const words = useWords(settings_words)
  const { language } = useLanguage()
  const toast = useToast()
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('staff')
  const invite = useChange((api, body: CreateUser) => api.users.create(body), ['users.list'])
  const fieldError = useFieldErrors(invite.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    invite.mutate(
      { name, email, role, lang: language },
      {
        onSuccess: ({ invitation_link }) => {
          if (invitation_link) return
          toast(words.invited)
          close()
        },
      },
    )
  }
  const link = invite.data?.invitation_link
  if (link) return <InvitationLink link={link} close={close} />
  return (
    <Dialog open close={close} title={words.invite} text={words.invite_text}>
      <form noValidate onSubmit={submit}>
        <TextField
          label={words.name}
          value={name}
          error={fieldError('name')}
          onChange={(event) => setName(event.target.value)}
        />
        <TextField
          label={words.email}
          type="email"
          value={email}
          error={fieldError('email')}
          onChange={(event) => setEmail(event.target.value)}
        />
        <RoleField role={role} choose={setRole} />
        <FormError error={invite.error} fields={['name', 'email']} />
        <DialogActions close={close}>
          <Button kind="primary" type="submit" busy={invite.isPending}>
            {words.invite}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** Without a mail server nothing was sent: the link has to be handed over. */
function InvitationLink({ link, close }: { link: string; close: () => void }) {
  const words = useWords(settings_words)
  return (
    <Dialog open close={close} title={words.invite_link} text={words.invite_link_text} stays wide>
      <CodeBlock title={words.invite_link} value={link} />
      <DialogActions>
        <Button kind="primary" onClick={close}>
          {words.done}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function UserDialog({ user, close }: { user: ManagedUser; close: () => void }) {
  const words = useWords(settings_words)
  const toast = useToast()
  const [role, setRole] = useState(user.role)
  const change = useChange(
    (api, body: UpdateUser) => api.users.update(user.id, body),
    ['users.list'],
  )
  const save = (body: UpdateUser) =>
    change.mutate(body, {
      onSuccess: () => {
        toast(words.user_saved)
        close()
      },
    })
  const is_disabled = user.disabled_on !== null
  return (
    <Dialog open close={close} title={user.name} text={user.email}>
      <RoleField role={role} choose={setRole} />
      <FormError error={change.error} />
      <DialogActions close={close}>
        <Button busy={change.isPending} onClick={() => save({ disabled: !is_disabled })}>
          {is_disabled ? words.enable : words.disable}
        </Button>
        <Button
          kind="primary"
          busy={change.isPending}
          disabled={role === user.role}
          onClick={() => save({ role })}
        >
          {words.save}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
