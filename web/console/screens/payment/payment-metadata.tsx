import { useState } from 'react'
import { useChange } from '../../api/api-hooks.ts'
import type { Charge } from '../../api/call-api.ts'
import { useCan } from '../../api/session.tsx'
import { Button } from '../../parts/forms/button.tsx'
import { FormError } from '../../parts/forms/form-fields.tsx'
import { useToast } from '../../parts/overlays/toasts.tsx'
import { KeyValues } from '../../parts/values/key-values.tsx'
import { useWords } from '../../words/language.tsx'
import { stale_with_payment } from './payment-data.ts'
import { payment_words } from './payment-words.ts'

export function PaymentMetadata({ charge }: { charge: Charge }) {
  const words = useWords(payment_words)
  const may_edit = useCan('payments:write')
  const [is_editing, setEditing] = useState(false)
  const rows = Object.entries(charge.metadata)
  return (
    <section className="section">
      <div className="section-head">
        <h2>{words.metadata}</h2>
        {may_edit && !is_editing && (
          <Button kind="quiet" small icon="edit" onClick={() => setEditing(true)}>
            {words.edit}
          </Button>
        )}
      </div>
      {is_editing ? (
        <MetadataForm charge={charge} close={() => setEditing(false)} />
      ) : rows.length > 0 ? (
        <KeyValues
          rows={rows.map(([key, value]) => [<code key={key}>{key}</code>, String(value)])}
        />
      ) : (
        <p className="none-yet">{words.no_metadata}</p>
      )}
    </section>
  )
}

interface Entry {
  readonly key: string
  readonly value: string
  /** A key that exists keeps its name. */
  readonly is_new: boolean
}

const no_entry: Entry = { key: '', value: '', is_new: true }

function MetadataForm({ charge, close }: { charge: Charge; close: () => void }) {
  const words = useWords(payment_words)
  const toast = useToast()
  const { id: charge_id, store_id, metadata } = charge
  const [entries, setEntries] = useState<readonly Entry[]>(() => [
    ...Object.entries(metadata).map(([key, value]) => ({
      key,
      value: String(value),
      is_new: false,
    })),
    no_entry,
  ])
  const save = useChange((api, _: null) => {
    const changed = entries.filter(
      ({ key, value }) => key !== '' && String(metadata[key] ?? '') !== value,
    )
    const wanted = Object.fromEntries(changed.map(({ key, value }) => [key, value]))
    return api.charges.update(charge_id, { metadata: wanted }, { store_id })
  }, stale_with_payment)
  const change = (at: number, entry: Entry) => setEntries(entries.with(at, entry))
  const done = () => {
    toast(words.metadata_saved)
    close()
  }
  return (
    <form
      className="metadata-form"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate(null, { onSuccess: done })
      }}
    >
      {entries.map((entry, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries keep their places
        <div key={at}>
          <input
            className="input"
            aria-label={words.key}
            placeholder={words.key}
            readOnly={!entry.is_new}
            value={entry.key}
            onChange={(event) => change(at, { ...entry, key: event.target.value })}
          />
          <input
            className="input"
            aria-label={`${words.value} ${entry.key}`}
            placeholder={words.value}
            value={entry.value}
            onChange={(event) => change(at, { ...entry, value: event.target.value })}
          />
        </div>
      ))}
      <p className="field-hint">{words.metadata_hint}</p>
      <FormError error={save.error} />
      <div className="metadata-actions">
        <Button small icon="plus" onClick={() => setEntries([...entries, no_entry])}>
          {words.add_row}
        </Button>
        <Button small kind="primary" type="submit" busy={save.isPending}>
          {words.save}
        </Button>
      </div>
    </form>
  )
}
