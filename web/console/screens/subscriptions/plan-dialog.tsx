import { type FormEvent, useState } from 'react'
import { useChange } from '../../api/api-hooks.ts'
import type { Period, SimulatePlan } from '../../api/call-api.ts'
import { useStoreChoice } from '../../frame/store-choice.tsx'
import { Button } from '../../parts/forms/button.tsx'
import {
  FormError,
  SelectField,
  TextField,
  useFieldErrors,
} from '../../parts/forms/form-fields.tsx'
import { Dialog, DialogActions } from '../../parts/overlays/dialog.tsx'
import { readAmount, readCount } from '../../words/format-values.ts'
import { useWords } from '../../words/language.tsx'
import { part_words } from '../../words/part-words.ts'
import { PlannedLine } from './schedule-line.tsx'
import { subscriptions_words } from './subscriptions-words.ts'

const fields = ['amount', 'initial_amount', 'currency', 'schedule_settings.start_on'] as const

/** The amounts and dates of a plan; nothing is created. */
export function PlanDialog({ close }: { close: () => void }) {
  const words = useWords(subscriptions_words)
  const { no_amount } = useWords(part_words)
  const { store_id } = useStoreChoice()
  const [has_amount, setHasAmount] = useState(true)
  const simulate = useChange(
    (api, plan: SimulatePlan) => api.subscriptions.simulatePlan(plan, { store_id }),
    [],
  )
  const fieldError = useFieldErrors(simulate.error)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const plan = readPlan(new FormData(event.currentTarget))
    setHasAmount(plan !== null)
    if (plan) simulate.mutate(plan)
  }
  return (
    <Dialog open close={close} title={words.simulate} text={words.simulate_text} wide>
      <form noValidate onSubmit={submit}>
        <div className="field-pair">
          <TextField
            label={words.amount}
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            error={has_amount ? fieldError('amount') : no_amount}
          />
          <TextField
            label={words.currency}
            name="currency"
            defaultValue="JPY"
            maxLength={3}
            error={fieldError('currency')}
          />
        </div>
        <div className="field-pair">
          <SelectField
            label={words.rhythm}
            name="period"
            defaultValue="monthly"
            options={Object.entries(words.periods)}
          />
          <TextField
            label={words.start_on}
            name="start_on"
            type="date"
            hint={words.start_hint}
            error={fieldError('schedule_settings.start_on')}
          />
        </div>
        <div className="field-pair">
          <TextField
            label={words.first}
            name="initial_amount"
            inputMode="decimal"
            autoComplete="off"
            hint={words.optional}
            error={fieldError('initial_amount')}
          />
          <TextField
            label={words.cycles}
            name="fixed_cycles"
            inputMode="numeric"
            autoComplete="off"
            hint={words.cycles_hint}
            error={fieldError('subscription_plan.fixed_cycles')}
          />
        </div>
        <FormError error={simulate.error} fields={[...fields, 'subscription_plan.fixed_cycles']} />
        {simulate.data && <PlannedLine payments={simulate.data} />}
        <DialogActions close={close}>
          <Button kind="primary" type="submit" busy={simulate.isPending}>
            {words.simulate_button}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** The entered plan; null without an amount. */
function readPlan(form: FormData): SimulatePlan | null {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  const currency = text('currency').toUpperCase()
  const amount = readAmount(text('amount'), currency)
  const first = text('initial_amount')
  const initial_amount = first === '' ? null : readAmount(first, currency)
  if (amount === null) return null
  const cycles = text('fixed_cycles')
  const start_on = text('start_on')
  return {
    amount,
    currency,
    period: text('period') as Period,
    ...(initial_amount === null ? {} : { initial_amount }),
    ...(start_on ? { schedule_settings: { start_on } } : {}),
    ...(cycles
      ? { subscription_plan: { plan_type: 'fixed_cycles', fixed_cycles: readCount(cycles) } }
      : {}),
  }
}
