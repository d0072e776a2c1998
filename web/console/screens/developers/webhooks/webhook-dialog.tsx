import { type FormEvent, useState } from 'react'
import { type Trigger, triggersOf } from '../../../../../src/events/event-names.ts'
import { useChange } from '../../../api/api-hooks.ts'
import type { Webhook } from '../../../api/call-api.ts'
import { useStoreChoice } from '../../../frame/store-choice.tsx'
import { Button } from '../../../parts/forms/button.tsx'
import {
  CheckField,
  FormError,
  TextField,
  useFieldErrors,
} from '../../../parts/forms/form-fields.tsx'
import { Dialog, DialogActions } from '../../../parts/overlays/dialog.tsx'
import { useToast } from '../../../parts/overlays/toasts.tsx'
import { useWords } from '../../../words/language.tsx'
import { developers_words } from '../developers-words.ts'

/** Adds a webhook of the chosen store or of the merchant, or changes one. */
export function WebhookDialog({ webhook, close }: { webhook?: Webhook; close: () => void }) {
  const words = useWords(developers_words)
  const toast = useToast()
  const { store_id: chosen } = useStoreChoice()
  const store_id = webhook ? webhook.store_id : chosen
  const all = triggersOf(store_id ? 'store' : 'merchant')
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [auth_token, setAuthToken] = useState(webhook?.auth_token ?? '')
  const [triggers, setTriggers] = useState<readonly Trigger[]>(
    webhook?.triggers ?? ['charge_finished', 'refund_finished'],
  )
  const save = useChange(
    (api) => {
      const body = { url, triggers: [...triggers], auth_token: auth_token || null }
      return webhook
        ? api.webhooks.update(webhook.id, body, { store_id })
        : api.webhooks.create(body, { store_id })
    },
    ['webhooks'],
  )
  const fieldError = useFieldErrors(save.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(undefined, {
      onSuccess: () => {
        toast(webhook ? words.webhook_saved : words.webhook_created)
        close()
      },
    })
  }
  const toggle = (name: Trigger, wanted: boolean) =>
    setTriggers(wanted ? [...triggers, name] : triggers.filter((one) => one !== name))
  return (
    <Dialog
      open
      close={close}
      title={webhook ? words.edit : words.new_webhook}
      text={words.webhook_text}
      wide
    >
      <form noValidate onSubmit={submit}>
        <TextField
          label={words.url}
          type="url"
          placeholder="https://"
          required
          value={url}
          hint={words.url_hint}
          error={fieldError('url')}
          onChange={(event) => setUrl(event.target.value)}
        />
        <fieldset className="triggers">
          <legend>{words.triggers}</legend>
          <div className="triggers-bar">
            <Button kind="quiet" small onClick={() => setTriggers(all)}>
              {words.all_events}
            </Button>
            <Button kind="quiet" small onClick={() => setTriggers([])}>
              {words.no_events}
            </Button>
          </div>
          {all.map((name) => (
            <CheckField
              key={name}
              label={<code>{name}</code>}
              checked={triggers.includes(name)}
              onChange={(event) => toggle(name, event.target.checked)}
            />
          ))}
          {fieldError('triggers') && <p className="field-error">{fieldError('triggers')}</p>}
        </fieldset>
        <TextField
          label={words.auth_token}
          autoComplete="off"
          value={auth_token}
          hint={words.auth_token_hint}
          error={fieldError('auth_token')}
          onChange={(event) => setAuthToken(event.target.value)}
        />
        <FormError error={save.error} fields={['url', 'triggers', 'auth_token']} />
        <DialogActions close={close}>
          <Button kind="primary" type="submit" busy={save.isPending}>
            {webhook ? words.save : words.new_webhook}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
