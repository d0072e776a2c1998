import { useState } from 'react'
import { useChange } from '../../../api/api-hooks.ts'
import type { WebhookSecret as Secret } from '../../../api/call-api.ts'
import { useCan } from '../../../api/session.tsx'
import { Button } from '../../../parts/forms/button.tsx'
import { FormError, SelectField } from '../../../parts/forms/form-fields.tsx'
import { Dialog, DialogActions } from '../../../parts/overlays/dialog.tsx'
import { useToast } from '../../../parts/overlays/toasts.tsx'
import { IdText } from '../../../parts/values/id-text.tsx'
import { TimeText } from '../../../parts/values/time-text.tsx'
import { useWords } from '../../../words/language.tsx'
import { developers_words } from '../developers-words.ts'
import type { WebhookPath } from './webhook-path.ts'

/** What deliveries are signed with: shown on request, replaced with an overlap. */
export function WebhookSecret({ path }: { path: WebhookPath }) {
  const { webhook_id, store_id } = path
  const words = useWords(developers_words)
  const may_change = useCan('webhooks:write')
  const [secret, setSecret] = useState<Secret | null>(null)
  const [is_rotating, setRotating] = useState(false)
  const read = useChange((api) => api.webhooks.getSecret(webhook_id, { store_id }), [])
  if (!may_change) return null
  const toggle = () => {
    if (secret) setSecret(null)
    else read.mutate(undefined, { onSuccess: setSecret })
  }
  return (
    <section className="section">
      <h2>{words.secret}</h2>
      <div className="secret">
        {secret ? <IdText id={secret.secret} whole /> : <code>••••••••••••</code>}
        <Button small busy={read.isPending} onClick={toggle}>
          {secret ? words.hide_secret : words.show_secret}
        </Button>
        <Button small onClick={() => setRotating(true)}>
          {words.rotate}
        </Button>
      </div>
      {secret?.previous_secret_expires_on && (
        <p className="field-hint">
          {words.previous_until} <TimeText at={secret.previous_secret_expires_on} exact />
        </p>
      )}
      <FormError error={read.error} />
      {is_rotating && (
        <RotateDialog path={path} close={() => setRotating(false)} rotated={setSecret} />
      )}
    </section>
  )
}

interface RotateProps {
  path: WebhookPath
  close: () => void
  rotated: (secret: Secret) => void
}

function RotateDialog({ path, close, rotated }: RotateProps) {
  const { webhook_id, store_id } = path
  const words = useWords(developers_words)
  const toast = useToast()
  const [overlap, setOverlap] = useState('P1D')
  const rotate = useChange(
    (api) => api.webhooks.changeSecret(webhook_id, { overlap }, { store_id }),
    [],
  )
  const submit = () =>
    rotate.mutate(undefined, {
      onSuccess: (secret) => {
        rotated(secret)
        toast(words.rotated)
        close()
      },
    })
  return (
    <Dialog open close={close} title={words.rotate} text={words.rotate_text}>
      <SelectField
        label={words.rotate_for}
        value={overlap}
        options={Object.entries(words.overlaps)}
        onChange={(event) => setOverlap(event.target.value)}
      />
      <FormError error={rotate.error} />
      <DialogActions close={close}>
        <Button kind="primary" busy={rotate.isPending} onClick={submit}>
          {words.rotate}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
