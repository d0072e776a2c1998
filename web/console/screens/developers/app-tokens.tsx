import { useState } from 'react'
import { useChange } from '../../api/api-hooks.ts'
import type { AppToken, CreateStoreAppToken, NewAppToken } from '../../api/call-api.ts'
import { currentMode } from '../../api/mode.ts'
import { useCan } from '../../api/session.tsx'
import { useStoreChoice } from '../../frame/store-choice.tsx'
import { Button } from '../../parts/forms/button.tsx'
import {
  AreaField,
  FormError,
  SelectField,
  TextField,
  useFieldErrors,
} from '../../parts/forms/form-fields.tsx'
import type { Column } from '../../parts/lists/data-table.tsx'
import { ListView } from '../../parts/lists/list-view.tsx'
import { Dialog, DialogActions } from '../../parts/overlays/dialog.tsx'
import { useToast } from '../../parts/overlays/toasts.tsx'
import { MissingRight } from '../../parts/screen/missing-right.tsx'
import { CodeBlock } from '../../parts/values/code-block.tsx'
import { IdText } from '../../parts/values/id-text.tsx'
import { TimeText } from '../../parts/values/time-text.tsx'
import { useWords } from '../../words/language.tsx'
import { developers_words } from './developers-words.ts'

/** Credentials of programs: created for a store, restricted to domains, revoked. */
export function AppTokens() {
  const words = useWords(developers_words)
  const { stores, store_id } = useStoreChoice()
  const may_change = useCan('app_tokens:write')
  const [is_adding, setAdding] = useState(false)
  const [rotating, setRotating] = useState<AppToken | null>(null)
  const [revoking, setRevoking] = useState<AppToken | null>(null)
  const columns: readonly Column<AppToken>[] = [
    {
      name: 'name',
      label: words.key_name,
      phone: 'title',
      show: ({ name, jti }) => name ?? <IdText id={jti} />,
    },
    { name: 'id', label: 'ID', show: ({ name, jti }) => name && <IdText id={jti} /> },
    {
      name: 'store',
      label: words.store,
      phone: 'note',
      show: (token) => stores.find(({ id }) => id === token.store_id)?.name ?? words.whole_merchant,
    },
    {
      name: 'mode',
      label: words.mode,
      phone: 'side',
      show: ({ mode }) => words.modes[mode ?? 'both'],
    },
    { name: 'domains', label: words.domains, show: ({ domains }) => domains.join(', ') },
    {
      name: 'created',
      label: words.created,
      show: ({ created_on }) => <TimeText at={created_on} />,
    },
    {
      name: 'last_used',
      label: words.last_used,
      show: ({ last_used_on }) =>
        last_used_on ? (
          <TimeText at={last_used_on} />
        ) : (
          <span className="none">{words.never_used}</span>
        ),
    },
    {
      name: 'expires',
      label: words.ends,
      show: ({ expires_on }) => expires_on && <TimeText at={expires_on} exact />,
    },
    {
      name: 'rotate',
      label: '',
      align: 'right',
      show: (token) =>
        may_change &&
        !token.expires_on && (
          <Button kind="quiet" small onClick={() => setRotating(token)}>
            {words.rotate_key}
          </Button>
        ),
    },
    {
      name: 'revoke',
      label: '',
      align: 'right',
      phone: 'value',
      show: (token) =>
        may_change && (
          <Button kind="quiet" small onClick={() => setRevoking(token)}>
            {words.revoke}
          </Button>
        ),
    },
  ]
  return (
    <>
      <div className="tab-actions">
        <MissingRight right="app_tokens:write" />
        {may_change && store_id && (
          <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
            {words.new_key}
          </Button>
        )}
        {may_change && !store_id && <p className="none-yet">{words.choose_store}</p>}
      </div>
      <ListView
        label={words.tabs.keys}
        columns={columns}
        read={(api, query, of) =>
          of
            ? api.appTokens.list(query, { store_id: of })
            : api.appTokens.list({ ...query, with_stores: true })
        }
        idOf={({ jti }) => jti}
        empty={{ icon: 'lock', title: words.no_keys, text: words.no_keys_text }}
      />
      {is_adding && store_id && (
        <NewTokenDialog store_id={store_id} close={() => setAdding(false)} />
      )}
      {rotating && <RotateDialog token={rotating} close={() => setRotating(null)} />}
      {revoking && <RevokeDialog token={revoking} close={() => setRevoking(null)} />}
    </>
  )
}

function NewTokenDialog({ store_id, close }: { store_id: string; close: () => void }) {
  const words = useWords(developers_words)
  const [name, setName] = useState('')
  const [domains, setDomains] = useState('')
  const create = useChange(
    (api) => {
      const body: CreateStoreAppToken = {
        mode: currentMode(),
        domains: domains.split(/\s+/).filter(Boolean),
        ...(name.trim() ? { name: name.trim() } : {}),
      }
      return api.appTokens.create(body, { store_id })
    },
    ['appTokens'],
  )
  const fieldError = useFieldErrors(create.error)
  if (create.data) return <SecretDialog token={create.data} close={close} />
  return (
    <Dialog open close={close} title={words.new_key} text={words.new_key_text}>
      <TextField
        label={words.key_name}
        hint={words.key_name_hint}
        value={name}
        maxLength={255}
        error={fieldError('name')}
        onChange={(event) => setName(event.target.value)}
      />
      <AreaField
        label={words.domains}
        hint={words.domains_hint}
        value={domains}
        error={fieldError('domains')}
        onChange={(event) => setDomains(event.target.value)}
      />
      <FormError error={create.error} fields={['domains', 'name']} />
      <DialogActions close={close}>
        <Button kind="primary" busy={create.isPending} onClick={() => create.mutate(undefined)}>
          {words.new_key}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function SecretDialog({ token, close }: { token: NewAppToken; close: () => void }) {
  const words = useWords(developers_words)
  return (
    <Dialog open close={close} title={words.new_key} text={words.key_secret} stays wide>
      <CodeBlock title={words.token_secret} value={token.secret} />
      <CodeBlock title={words.key_jwt} value={token.jwt} />
      <DialogActions>
        <Button kind="primary" onClick={close}>
          {words.done}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function RotateDialog({ token, close }: { token: AppToken; close: () => void }) {
  const words = useWords(developers_words)
  const [overlap, setOverlap] = useState('P1D')
  const { jti, store_id } = token
  const rotate = useChange(
    (api) => api.appTokens.rotate(jti, { overlap }, { store_id }),
    ['appTokens'],
  )
  if (rotate.data) return <SecretDialog token={rotate.data} close={close} />
  return (
    <Dialog open close={close} title={words.rotate_key_title} text={words.rotate_key_text}>
      <SelectField
        label={words.rotate_key_for}
        value={overlap}
        options={Object.entries(words.overlaps)}
        onChange={(event) => setOverlap(event.target.value)}
      />
      <FormError error={rotate.error} />
      <DialogActions close={close}>
        <Button kind="primary" busy={rotate.isPending} onClick={() => rotate.mutate(undefined)}>
          {words.rotate_key}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function RevokeDialog({ token, close }: { token: AppToken; close: () => void }) {
  const words = useWords(developers_words)
  const toast = useToast()
  const { jti, store_id } = token
  const revoke = useChange((api) => api.appTokens.delete(jti, { store_id }), ['appTokens'])
  const submit = () =>
    revoke.mutate(undefined, {
      onSuccess: () => {
        toast(words.revoked)
        close()
      },
    })
  return (
    <Dialog open close={close} title={words.revoke_title} text={words.revoke_text}>
      <FormError error={revoke.error} />
      <DialogActions close={close}>
        <Button kind="danger" busy={revoke.isPending} onClick={submit}>
          {words.revoke}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
