import { type FormEvent, useState } from 'react'
import { useRead } from '../../../api/api-hooks.ts'
import type { GetOperatorRoutingQuery, PaymentType, Routing } from '../../../api/call-api.ts'
import type { ConsoleApi } from '../../../api/console-client.ts'
import { Button } from '../../../parts/forms/button.tsx'
import { FormError, TextField } from '../../../parts/forms/form-fields.tsx'
import { readAmount } from '../../../words/format-values.ts'
import { useWords } from '../../../words/language.tsx'
import { BrandField, TypeField } from '../payment-fields.tsx'
import { routing_words } from './routing-words.ts'

interface Props {
  read: (api: ConsoleApi, query: GetOperatorRoutingQuery) => PromiseLike<Routing>
}

/** "Which connector would take this payment?", decided as for a charge. */
export function RouteCheck({ read }: Props) {
  const words = useWords(routing_words)
  const [payment_type, setType] = useState<PaymentType>('card')
  const [query, setQuery] = useState<GetOperatorRoutingQuery | null>(null)
  const { data, error, isFetching } = useRead((api) => read(api, query ?? {}), {
    enabled: query !== null,
    keep: true,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setQuery(readQuery(new FormData(event.currentTarget)))
  }
  return (
    <section className="section">
      <h2>{words.check}</h2>
      <form className="route-form" autoComplete="off" onSubmit={submit}>
        <TypeField value={payment_type} change={(type) => setType(type as PaymentType)} />
        <BrandField key={payment_type} payment_type={payment_type} />
        <TextField label={words.amount} name="amount" inputMode="decimal" defaultValue="1000" />
        <TextField label={words.currency} name="currency" maxLength={3} defaultValue="JPY" />
        <TextField label={words.country} name="country" maxLength={2} />
        <Button type="submit" busy={isFetching}>
          {words.ask}
        </Button>
      </form>
      <FormError error={error} />
      {query && data && !error && <Result check={data.check} />}
    </section>
  )
}

function Result({ check }: { check: Routing['check'] }) {
  const words = useWords(routing_words)
  const is_taken = check.some(({ outcome }) => outcome === 'takes')
  return (
    <div className="route-result" role="status">
      {!is_taken && <p className="none-yet">{words.nothing}</p>}
      <ol className="rules">
        {check.map(({ connector, position, outcome, is_circuit_open }) => (
          <li key={`${connector} ${position}`} className={`rule ${outcome}`}>
            <span className="rule-text">
              <strong>{connector}</strong>
              <span>
                {[
                  words.outcomes[outcome] ?? outcome,
                  ...(position === null ? [] : [words.rule(position)]),
                  ...(is_circuit_open ? [words.circuit] : []),
                ].join(' · ')}
              </span>
            </span>
          </li>
        ))}
      </ol>
    </div>
  )
}

function readQuery(form: FormData): GetOperatorRoutingQuery {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  const currency = text('currency').toUpperCase()
  const amount = readAmount(text('amount'), currency || 'JPY')
  return {
    payment_type: text('payment_type') as PaymentType,
    ...(text('brand') ? { brand: text('brand') } : {}),
    ...(amount === null ? {} : { amount }),
    ...(currency ? { currency } : {}),
    ...(text('country') ? { country: text('country').toUpperCase() } : {}),
  }
}
