import { type FormEvent, useState } from 'react'
import { useChange, useRead } from '../../api/api-hooks.ts'
import type { Merchant, UpdateMerchant } from '../../api/call-api.ts'
import { useCan } from '../../api/session.tsx'
import { Button } from '../../parts/forms/button.tsx'
import { FormError, TextField, useFieldErrors } from '../../parts/forms/form-fields.tsx'
import { useToast } from '../../parts/overlays/toasts.tsx'
import { MissingRight } from '../../parts/screen/missing-right.tsx'
import { ErrorState, Loading } from '../../parts/screen/states.tsx'
import { IdText } from '../../parts/values/id-text.tsx'
import { KeyValues } from '../../parts/values/key-values.tsx'
import { useWords } from '../../words/language.tsx'
import { settings_words } from './settings-words.ts'

export function MerchantSettings() {
  const { data, error, refetch } = useRead((api) => api.merchant.get())
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  return data ? <MerchantForm merchant={data} /> : <Loading />
}

function MerchantForm({ merchant }: { merchant: Merchant }) {
  const words = useWords(settings_words)
  const toast = useToast()
  const may_change = useCan('settings:write')
  const [name, setName] = useState(merchant.name)
  const [notification, setNotification] = useState(merchant.notification_email ?? '')
  const [finance, setFinance] = useState(merchant.finance_notification_email ?? '')
  const save = useChange((api, body: UpdateMerchant) => api.merchant.update(body), ['merchant'])
  const fieldError = useFieldErrors(save.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const body = {
      name,
      notification_email: notification || null,
      finance_notification_email: finance || null,
    }
    save.mutate(body, { onSuccess: () => toast(words.saved) })
  }
  return (
    <form className="settings-form" noValidate onSubmit={submit}>
      <KeyValues
        rows={[
          [words.email, merchant.email],
          [words.status, merchant.verified ? words.verified : words.not_verified],
          [words.id, <IdText key="id" id={merchant.id} whole />],
        ]}
      />
      <TextField
        label={words.name}
        value={name}
        readOnly={!may_change}
        error={fieldError('name')}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label={words.notification_email}
        type="email"
        value={notification}
        readOnly={!may_change}
        error={fieldError('notification_email')}
        onChange={(event) => setNotification(event.target.value)}
      />
      <TextField
        label={words.finance_email}
        type="email"
        value={finance}
        readOnly={!may_change}
        error={fieldError('finance_notification_email')}
        onChange={(event) => setFinance(event.target.value)}
      />
      <FormError
        error={save.error}
        fields={['name', 'notification_email', 'finance_notification_email']}
      />
      <MissingRight right="settings:write" />
      {may_change && (
        <Button kind="primary" type="submit" busy={save.isPending}>
          {words.save}
        </Button>
      )}
    </form>
  )
}
