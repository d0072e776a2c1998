import { type FormEvent, useState } from 'react'
import { useRead } from '../../../api/api-hooks.ts'
import type { PaymentType, RoutingRule } from '../../../api/call-api.ts'
import { Button } from '../../../parts/forms/button.tsx'
import {
  SelectField,
  TextField,
  useFaultFocus,
  useFieldErrors,
} from '../../../parts/forms/form-fields.tsx'
import { Dialog, DialogActions } from '../../../parts/overlays/dialog.tsx'
import { majorText, readAmount } from '../../../words/format-values.ts'
import { useWords } from '../../../words/language.tsx'
import { BrandField, TypeField } from '../payment-fields.tsx'
import { routing_words } from './routing-words.ts'
import { RulesError } from './rule-list.tsx'

interface Props {
  rule: RoutingRule | null
  at: number
  error: unknown
  busy: boolean
  save: (rule: RoutingRule) => void
  close: () => void
}

const names = [
  'connector',
  'payment_type',
  'brand',
  'currency',
  'min_amount',
  'max_amount',
  'country',
]

/** A new rule at the end, or another form of one. */
export function RuleDialog({ rule, at, error, busy, save, close }: Props) {
  const words = useWords(routing_words)
  const [payment_type, setType] = useState(rule?.payment_type ?? '')
  const fieldError = useFieldErrors(error)
  const faultOf = (name: string) => fieldError(`rules.${at}.${name}`)
  const form = useFaultFocus(error)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    save(readRule(new FormData(event.currentTarget)))
  }
  return (
    <Dialog open close={close} title={rule ? words.edit_rule : words.add_rule} wide>
      <form ref={form} noValidate autoComplete="off" onSubmit={submit}>
        <ConnectorField rule={rule} error={faultOf('connector')} />
        <div className="field-pair">
          <TypeField value={payment_type} change={setType} any={words.any} />
          <BrandField
            key={payment_type}
            payment_type={payment_type as PaymentType | ''}
            chosen={rule?.brand ?? ''}
            error={faultOf('brand')}
          />
        </div>
        <AmountFields rule={rule} faultOf={faultOf} />
        <TextField
          label={words.country}
          name="country"
          maxLength={2}
          defaultValue={rule?.country ?? ''}
          hint={words.country_hint}
          error={faultOf('country')}
        />
        <RulesError error={error} fields={names.map((name) => `rules.${at}.${name}`)} />
        <DialogActions close={close}>
          <Button kind="primary" type="submit" busy={busy}>
            {rule ? words.save : words.add_rule}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function ConnectorField({ rule, error }: { rule: RoutingRule | null; error: string | null }) {
  const words = useWords(routing_words)
  const { data } = useRead((api) => api.operator.listConnectors())
  const connectors = data?.connectors.map(({ name }) => name) ?? (rule ? [rule.connector] : [])
  return (
    <SelectField
      key={connectors.join()}
      label={words.connector}
      name="connector"
      defaultValue={rule?.connector ?? connectors[0] ?? ''}
      options={connectors.map((name) => [name, name])}
      hint={data?.connectors.length === 0 ? words.no_connector : undefined}
      error={error}
    />
  )
}

interface FieldsProps {
  rule: RoutingRule | null
  faultOf: (name: string) => string | null
}

function AmountFields({ rule, faultOf }: FieldsProps) {
  const words = useWords(routing_words)
  const { currency = null, min_amount = null, max_amount = null } = rule ?? {}
  const shown = (amount: number | null) =>
    amount === null || !currency ? '' : majorText(amount, currency)
  return (
    <div className="field-pair">
      <TextField
        label={words.currency}
        name="currency"
        maxLength={3}
        defaultValue={currency ?? ''}
        hint={words.currency_hint}
        error={faultOf('currency')}
      />
      <TextField
        label={words.min_amount}
        name="min_amount"
        inputMode="decimal"
        defaultValue={shown(min_amount)}
        error={faultOf('min_amount')}
      />
      <TextField
        label={words.max_amount}
        name="max_amount"
        inputMode="decimal"
        defaultValue={shown(max_amount)}
        error={faultOf('max_amount')}
      />
    </div>
  )
}

/** The input, unchanged. An invalid amount is sent too, because the API explains the fault. */
function readRule(form: FormData): RoutingRule {
  const text = (name: string) => String(form.get(name) ?? '').trim() || null
  const currency = text('currency')?.toUpperCase() ?? null
  const amount = (name: string) => {
    const typed = text(name)
    return typed === null
      ? null
      : (readAmount(typed, currency ?? 'JPY') ?? (typed as unknown as number))
  }
  return {
    connector: text('connector') ?? '',
    payment_type: text('payment_type') as PaymentType | null,
    brand: text('brand'),
    currency,
    min_amount: amount('min_amount'),
    max_amount: amount('max_amount'),
    country: text('country')?.toUpperCase() ?? null,
  }
}
