import { Link } from 'wouter'
import { card_testing_rates } from '../../../../src/core/limits/card-testing-policy.ts'
import { checkout_rates, session_attempts } from '../../../../src/core/limits/checkout-policy.ts'
import { useRead } from '../../api/api-hooks.ts'
import { useStoreChoice } from '../../frame/store-choice.tsx'
import { ErrorState, Loading } from '../../parts/screen/states.tsx'
import { Icon } from '../../parts/values/icon.tsx'
import { KeyValues } from '../../parts/values/key-values.tsx'
import { TimeText } from '../../parts/values/time-text.tsx'
import { useWords } from '../../words/language.tsx'
import { protection_words } from './protection-words.ts'

/** What card testing is, whether it happens, what the service does against it, and what a shop can do. */
export function CardTesting() {
  const words = useWords(protection_words)
  const { stores, store_id } = useStoreChoice()
  const of_store = store_id ?? (stores.length === 1 ? stores[0]?.id : null)
  const settings = of_store ? `/settings/stores/${of_store}` : '/settings?tab=stores'
  return (
    <div className="protection">
      <Attacks />
      <section className="section">
        <h2>{words.what}</h2>
        <p>{words.what_text}</p>
      </section>
      <section className="section">
        <h2>{words.todo}</h2>
        <ul className="advice">
          <li>
            <Link href="/payments?status=failed">{words.see_failed}</Link>
            <p>{words.see_failed_text}</p>
          </li>
          <li>
            <Link href={settings}>{words.require_3ds}</Link>
            <p>{words.require_3ds_text}</p>
          </li>
          <li>
            <Link href="/checkout?active=true">{words.close_links}</Link>
            <p>{words.close_links_text}</p>
          </li>
        </ul>
      </section>
      <Limits />
    </div>
  )
}

function Attacks() {
  const words = useWords(protection_words)
  const { stores, store_id } = useStoreChoice()
  const { data, error, refetch } = useRead(
    (api) => api.activity.getAttention(store_id ? { store_id } : {}),
    { refresh_ms: 15_000 },
  )
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Loading lines={2} />
  const { count, newest } = data.card_testing
  if (count === 0) {
    return (
      <p className="quiet-days">
        <Icon name="check" />
        {words.quiet}
      </p>
    )
  }
  return (
    <section className="attacked">
      <h2>
        <Icon name="warning" />
        {words.attacked}
      </h2>
      <p>{words.attacked_text}</p>
      <ul>
        {newest.map(({ resource_id, on, store_id: of_store }) => (
          <li key={resource_id}>
            {on && <TimeText at={on} exact />}
            <span>{stores.find(({ id }) => id === of_store)?.name}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Limits() {
  const words = useWords(protection_words)
  const { rows } = words
  const { card_address, card_number, card_store, card_credential } = card_testing_rates
  const { checkout_visit } = checkout_rates
  const slow = ({ burst, per_minute }: { burst: number; per_minute: number }) =>
    words.then_slow(String(burst), String(Math.round(1 / per_minute)))
  return (
    <section className="section">
      <h2>{words.limits}</h2>
      <KeyValues
        rows={[
          [rows.session, words.then_closed(String(session_attempts.max_declines))],
          [rows.address, slow(card_address)],
          [rows.card, slow(card_number)],
          [rows.store, words.then_challenge(String(card_store.burst))],
          [rows.credential, words.then_refused(String(card_credential.burst))],
          [
            rows.visit,
            words.then_rate(String(checkout_visit.burst), String(checkout_visit.per_minute)),
          ],
        ]}
      />
      <p className="field-hint">{words.honest}</p>
    </section>
  )
}
