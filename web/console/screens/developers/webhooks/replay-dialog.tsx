import { useState } from 'react'
import { useChange } from '../../../api/api-hooks.ts'
import type { CreateReplay } from '../../../api/call-api.ts'
import { startOfDay } from '../../../api/zone-days.ts'
import { Button } from '../../../parts/forms/button.tsx'
import {
  FormError,
  SelectField,
  TextField,
  useFieldErrors,
} from '../../../parts/forms/form-fields.tsx'
import { Dialog, DialogActions } from '../../../parts/overlays/dialog.tsx'
import { useToast } from '../../../parts/overlays/toasts.tsx'
import { useTimeFrame } from '../../../parts/values/time-text.tsx'
import { formatNumber } from '../../../words/format-values.ts'
import { useLanguage, useWords } from '../../../words/language.tsx'
import { developers_words } from '../developers-words.ts'
import type { WebhookPath } from './webhook-path.ts'

type Which = NonNullable<CreateReplay['which']>

/** Sends events of a time again; they are counted before anything is sent. */
export function ReplayDialog({ path, close }: { path: WebhookPath; close: () => void }) {
  const { webhook_id, store_id } = path
  const words = useWords(developers_words)
  const { language } = useLanguage()
  const { zone } = useTimeFrame()
  const toast = useToast()
  const [which, setWhich] = useState<Which>('failed')
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const wanted: CreateReplay = {
    which,
    ...(from ? { from: startOfDay(from, zone) } : {}),
    ...(to ? { to: startOfDay(to, zone, 1) } : {}),
  }
  const preview = useChange(
    (api) => api.webhooks.createReplay(webhook_id, { ...wanted, preview: true }, { store_id }),
    [],
  )
  const replay = useChange(
    (api) => api.webhooks.createReplay(webhook_id, wanted, { store_id }),
    ['webhooks'],
  )
  const count = preview.data ? formatNumber(preview.data.count, language) : null
  const error = replay.error ?? preview.error
  const fieldError = useFieldErrors(error)
  const change = (set: (value: string) => void) => (event: { target: { value: string } }) => {
    set(event.target.value)
    preview.reset()
  }
  const submit = () =>
    replay.mutate(undefined, {
      onSuccess: () => {
        toast(words.replay_started)
        close()
      },
    })
  return (
    <Dialog open close={close} title={words.replay} text={words.replay_text}>
      <SelectField
        label={words.replay_which}
        value={which}
        options={Object.entries(words.replay_whiches)}
        onChange={change((value) => setWhich(value as Which))}
      />
      <div className="field-pair">
        <TextField
          label={words.from}
          type="date"
          value={from}
          error={fieldError('from')}
          onChange={change(setFrom)}
        />
        <TextField
          label={words.to}
          type="date"
          value={to}
          error={fieldError('to')}
          onChange={change(setTo)}
        />
      </div>
      {count !== null && <p className="consequence">{words.replay_count(count)}</p>}
      <FormError error={error} fields={['from', 'to']} />
      <DialogActions close={close}>
        {count === null ? (
          <Button kind="primary" busy={preview.isPending} onClick={() => preview.mutate(undefined)}>
            {words.replay_preview}
          </Button>
        ) : (
          <Button
            kind="primary"
            busy={replay.isPending}
            disabled={preview.data?.count === 0}
            onClick={submit}
          >
            {words.replay_button(count)}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}
