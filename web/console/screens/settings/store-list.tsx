import { type FormEvent, useState } from 'react'
import { useChange } from '../../api/api-hooks.ts'
import type { Store } from '../../api/call-api.ts'
import { useCan } from '../../api/session.tsx'
import { Button } from '../../parts/forms/button.tsx'
import { FormError, TextField, useFieldErrors } from '../../parts/forms/form-fields.tsx'
import type { Column } from '../../parts/lists/data-table.tsx'
import { ListView } from '../../parts/lists/list-view.tsx'
import { Dialog, DialogActions } from '../../parts/overlays/dialog.tsx'
import { useToast } from '../../parts/overlays/toasts.tsx'
import { MissingRight } from '../../parts/screen/missing-right.tsx'
import { IdText } from '../../parts/values/id-text.tsx'
import { TimeText } from '../../parts/values/time-text.tsx'
import { useWords } from '../../words/language.tsx'
import { settings_words } from './settings-words.ts'

export function StoreList() {
  const words = useWords(settings_words)
  const may_change = useCan('settings:write')
  const [is_adding, setAdding] = useState(false)
  const columns: readonly Column<Store>[] = [
    { name: 'name', label: words.name, phone: 'title', show: ({ name }) => name },
    { name: 'id', label: words.id, phone: 'note', show: ({ id }) => <IdText id={id} /> },
    {
      name: 'created',
      label: words.created,
      phone: 'value',
      show: ({ created_on }) => <TimeText at={created_on} />,
    },
  ]
  return (
    <>
      <MissingRight right="settings:write" />
      {may_change && (
        <div className="tab-actions">
          <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
            {words.add_store}
          </Button>
        </div>
      )}
      <ListView
        label={words.tabs.stores}
        columns={columns}
        read={(api, query) => api.stores.list(query)}
        idOf={({ id }) => id}
        hrefOf={({ id }) => `/settings/stores/${id}`}
        empty={{ icon: 'store', title: words.no_stores, text: '' }}
      />
      {is_adding && <NewStoreDialog close={() => setAdding(false)} />}
    </>
  )
}

function NewStoreDialog({ close }: { close: () => void }) {
  const words = useWords(settings_words)
  const toast = useToast()
  const [name, setName] = useState('')
  const create = useChange((api) => api.stores.create({ name }), ['stores'])
  const fieldError = useFieldErrors(create.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate(undefined, {
      onSuccess: () => {
        toast(words.store_added)
        close()
      },
    })
  }
  return (
    <Dialog open close={close} title={words.add_store}>
      <form noValidate onSubmit={submit}>
        <TextField
          label={words.name}
          value={name}
          error={fieldError('name')}
          onChange={(event) => setName(event.target.value)}
        />
        <FormError error={create.error} fields={['name']} />
        <DialogActions close={close}>
          <Button kind="primary" type="submit" busy={create.isPending} disabled={name === ''}>
            {words.add_store}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
