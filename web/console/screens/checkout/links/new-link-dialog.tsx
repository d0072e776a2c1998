import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { typesWhere } from '../../../../../src/methods/method-facts.ts'
import { useChange } from '../../../api/api-hooks.ts'
import type { CreatePaymentLink, PaymentType } from '../../../api/call-api.ts'
import { useStoreChoice } from '../../../frame/store-choice.tsx'
import { Button } from '../../../parts/forms/button.tsx'
import { Choice } from '../../../parts/forms/choice.tsx'
import {
  CheckField,
  FormError,
  SelectField,
  TextField,
  useFaultFocus,
  useFieldErrors,
} from '../../../parts/forms/form-fields.tsx'
import { Dialog, DialogActions } from '../../../parts/overlays/dialog.tsx'
import { useToast } from '../../../parts/overlays/toasts.tsx'
import { useTimeFrame } from '../../../parts/values/time-text.tsx'
import { readAmount, readCount } from '../../../words/format-values.ts'
import { useWords } from '../../../words/language.tsx'
import { method_words } from '../../../words/status-words.ts'
import { checkout_words } from '../checkout-words.ts'
import { LinkTerms } from './link-terms.tsx'
import { endOfDay, linkHref } from './payment-link-data.ts'

const shown_fields = [
  'name',
  'amount',
  'amount_choice.min',
  'amount_choice.max',
  'amount_choice.suggested',
  'currency',
  'payment_types',
  'max_uses',
  'expires_on',
  'success_url',
]

/** Payments with the others begin in an app or on a page of their owners, not on the page of a link. */
const offered_types = typesWhere(({ on_pages }) => on_pages === 'always')

type AmountKind = 'fixed' | 'choice'

/** A new link; what the API refuses is said beside its field. */
export function NewLinkDialog({ close }: { close: () => void }) {
  const words = useWords(checkout_words)
  const toast = useToast()
  const [, navigate] = useLocation()
  const { zone } = useTimeFrame()
  const { stores, store_id } = useStoreChoice()
  const [kind, setKind] = useState<AmountKind>('fixed')
  const create = useChange(
    (api, { body, of_store }: { body: CreatePaymentLink; of_store: string }) =>
      api.paymentLinks.create(body, { store_id: of_store }),
    ['paymentLinks'],
  )
  const fieldError = useFieldErrors(create.error)
  const form = useFaultFocus(create.error)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    const of_store = store_id ?? String(typed.get('store') ?? stores[0]?.id)
    create.mutate(
      { body: readLink(typed, kind, zone), of_store },
      {
        onSuccess: ({ id }) => {
          toast(words.link_created)
          navigate(linkHref({ store_id: of_store, payment_link_id: id }))
        },
      },
    )
  }
  return (
    <Dialog open close={close} title={words.new_link} text={words.new_link_text} wide>
      <form ref={form} noValidate onSubmit={submit}>
        <TextField
          label={words.name}
          name="name"
          autoComplete="off"
          hint={words.name_hint}
          error={fieldError('name')}
        />
        <Choice
          label={words.amount}
          options={Object.entries(words.amount_kinds)}
          chosen={kind}
          choose={(name) => setKind(name as AmountKind)}
        />
        <AmountFields key={kind} kind={kind} fieldError={fieldError} />
        <Methods error={fieldError('payment_types')} />
        <LinkTerms fieldError={fieldError} />
        <TextField
          label={words.success_url}
          name="success_url"
          type="url"
          autoComplete="off"
          hint={words.success_url_hint}
          error={fieldError('success_url')}
        />
        {store_id === null && stores.length > 1 && (
          <SelectField
            label={words.store}
            name="store"
            options={stores.map(({ id, name }) => [id, name])}
          />
        )}
        <FormError error={create.error} fields={shown_fields} />
        <DialogActions close={close}>
          <Button kind="primary" type="submit" busy={create.isPending}>
            {words.create_link}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

interface AmountProps {
  kind: AmountKind
  fieldError: (field: string) => string | null
}

function AmountFields({ kind, fieldError }: AmountProps) {
  const words = useWords(checkout_words)
  const money = { inputMode: 'decimal', autoComplete: 'off' } as const
  const currency = (
    <TextField
      label={words.currency}
      name="currency"
      defaultValue="JPY"
      maxLength={3}
      error={fieldError('currency')}
    />
  )
  if (kind === 'fixed') {
    return (
      <div className="field-pair">
        <TextField label={words.amount} name="amount" {...money} error={fieldError('amount')} />
        {currency}
      </div>
    )
  }
  return (
    <div className="field-pair">
      <TextField
        label={words.least}
        name="min"
        {...money}
        error={fieldError('amount_choice.min')}
      />
      <TextField label={words.most} name="max" {...money} error={fieldError('amount_choice.max')} />
      <TextField
        label={words.suggested}
        name="suggested"
        {...money}
        hint={words.optional}
        error={fieldError('amount_choice.suggested')}
      />
      {currency}
    </div>
  )
}

function Methods({ error }: { error: string | null }) {
  const words = useWords(checkout_words)
  const names = useWords(method_words)
  const [takes_all, setTakesAll] = useState(true)
  return (
    <fieldset className="link-methods">
      <legend>{words.methods}</legend>
      <CheckField
        label={words.all_methods}
        checked={takes_all}
        onChange={(event) => setTakesAll(event.target.checked)}
      />
      {!takes_all &&
        offered_types.map((type) => (
          <CheckField key={type} label={names[type]} name="payment_types" value={type} />
        ))}
      {!takes_all && <input type="hidden" name="some" value="1" />}
      {error && <p className="field-error">{error}</p>}
    </fieldset>
  )
}

/** The link as it was typed. What is missing or no amount is left to the API, which names the field. */
function readLink(form: FormData, kind: AmountKind, zone: string): CreatePaymentLink {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  const currency = text('currency').toUpperCase()
  const amount = (name: string) => readAmount(text(name), currency)
  const max_uses = text('max_uses')
  const amounts =
    kind === 'fixed'
      ? { amount: amount('amount') }
      : {
          amount_choice: { min: amount('min'), max: amount('max'), suggested: amount('suggested') },
        }
  return {
    // Without a name the API says that one is required, and not that it is too short.
    ...(text('name') ? { name: text('name') } : {}),
    currency,
    ...amounts,
    ...(form.has('some') ? { payment_types: form.getAll('payment_types') as PaymentType[] } : {}),
    max_uses: max_uses ? readCount(max_uses) : null,
    expires_on: endOfDay(text('last_day'), zone),
    success_url: text('success_url') || null,
  } as CreatePaymentLink
}
