import { useChange } from '../../api/api-hooks.ts'
import type { TimelineEntry as Happened } from '../../api/call-api.ts'
import { useCan } from '../../api/session.tsx'
import { Button } from '../../parts/forms/button.tsx'
import { useToast } from '../../parts/overlays/toasts.tsx'
import { MissingRight } from '../../parts/screen/missing-right.tsx'
import { ErrorState, Loading } from '../../parts/screen/states.tsx'
import { CodeBlock } from '../../parts/values/code-block.tsx'
import type { IconName } from '../../parts/values/icon.tsx'
import { Timeline, type TimelineEntry } from '../../parts/values/timeline.tsx'
import { event_words } from '../../words/event-words.ts'
import { formatMoney } from '../../words/format-values.ts'
import { useWords } from '../../words/language.tsx'
import { ledger_words } from '../../words/ledger-words.ts'
import { status_words } from '../../words/status-words.ts'
import { useOperationText } from '../../words/use-operation-text.ts'
import type { usePayment } from './payment-data.ts'
import { stale_with_payment } from './payment-data.ts'
import { payment_words } from './payment-words.ts'
import { timeline_words } from './timeline-words.ts'

const icons: Record<Happened['actor'], IconName> = {
  api: 'developers',
  person: 'user',
  customer: 'customers',
  rule: 'rule',
  provider: 'provider',
  worker: 'worker',
  ledger: 'ledger',
  webhook: 'webhook',
}

interface Props {
  timeline: ReturnType<typeof usePayment>['timeline']
}

/** Why the payment is as it is: everything that happened to it, in order. */
export function PaymentTimeline({ timeline }: Props) {
  const words = useWords(payment_words)
  const tell = useSentences()
  const { data, error, refetch } = timeline
  const entries = data?.items.map((item, at): TimelineEntry => {
    const { sentence, tone } = tell(item)
    return {
      id: String(at),
      on: item.on,
      icon: icons[item.actor],
      actor: tell.actors[item.actor],
      sentence,
      tone,
      duration_ms: item.duration_ms,
      details: <Details item={item} />,
    }
  })
  return (
    <section className="section">
      <h2>{words.timeline}</h2>
      {entries ? (
        <Timeline label={words.timeline} entries={entries} />
      ) : error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <Loading />
      )}
      {data?.has_more && <p className="none-yet">{words.timeline_more}</p>}
    </section>
  )
}

type Reported = { sentence: string; tone?: 'good' | 'bad' | undefined }
type Money = { amount: number | null; currency: string | null }

const bad_states: ReadonlySet<string> = new Set(['failed', 'error', 'refused', 'declined', 'lost'])

function toneOf(state: string | null): Reported['tone'] {
  if (['successful', 'approved', 'won'].includes(state ?? '')) return 'good'
  return bad_states.has(state ?? '') ? 'bad' : undefined
}

const moneyText = ({ amount, currency }: Money) =>
  amount !== null && currency ? formatMoney(amount, currency) : ''

/** An entry as a sentence in the reader's language; names of the API stay as they are. */
function useSentences() {
  const words = useWords(timeline_words)
  const statuses: Record<string, string> = useWords(status_words)
  const kinds: Record<string, string> = useWords(ledger_words).kinds
  const operations: Record<string, string> = words.operations
  const steps: Record<string, string> = words.steps
  const disputes: Record<string, string> = useWords(ledger_words).dispute_steps
  const operationText = useOperationText()
  const events: Readonly<Record<string, string>> = useWords(event_words)
  const eventText = (name: string) => events[name] ?? name
  const state = (name: string | null) => (name ? (statuses[name] ?? name) : '')
  const tell = (item: Happened): Reported => {
    switch (item.kind) {
      case 'checkout':
        return { sentence: words.checkout }
      case 'request': {
        const { method, path, status, error_code } = item.details
        const response = error_code ? `${status} ${error_code}` : String(status)
        return { sentence: words.request(method, shortPath(path), response), ...failedFrom(status) }
      }
      case 'action': {
        const { action, step } = item.details
        const tone = step === 'refused' ? ('bad' as const) : undefined
        return { sentence: words.action(operationText(action), steps[step] ?? step), tone }
      }
      case 'rule':
        return { sentence: item.details.message, tone: 'bad' }
      case 'created':
        return {
          sentence: words.created(
            words.resources[item.details.resource_type],
            moneyText(item.details),
          ),
        }
      case 'provider_call': {
        const { provider, operation, outcome, code, is_inquiry } = item.details
        const said = outcome ? [state(outcome), code].filter(Boolean).join(' ') : words.no_response
        const asked = operations[operation] ?? operation
        const name = is_inquiry ? `${asked} (${words.inquiry})` : asked
        return { sentence: words.provider_call(provider, name, said), tone: toneOf(outcome) }
      }
      case 'status_change': {
        const { resource_type, from, to } = item.details
        const resource = words.resources[resource_type]
        return { sentence: words.status_change(resource, state(from), state(to)), tone: toneOf(to) }
      }
      case 'ledger': {
        const { ledger_kind, dispute_step } = item.details
        const name = dispute_step ? disputes[dispute_step] : kinds[ledger_kind]
        return { sentence: words.ledger(name ?? ledger_kind) }
      }
      case 'deposit': {
        const { status } = item.details
        return { sentence: words.deposit(moneyText(item.details), state(status)) }
      }
      case 'event':
        return { sentence: words.event(eventText(item.details.event)) }
      case 'delivery': {
        const { event, status, error } = item.details
        const response = status === null ? (error ?? words.no_response) : String(status)
        return {
          sentence: words.delivery(eventText(event), response),
          ...failedFrom(status ?? 500),
        }
      }
    }
  }
  return Object.assign(tell, { actors: words.actors })
}

const failedFrom = (status: number) => (status >= 400 ? { tone: 'bad' as const } : {})

/** Ids in a path say nothing to a reader; the details have them. */
function shortPath(path: string): string {
  return path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => `${id.slice(0, 4)}…`)
}

function Details({ item }: { item: Happened }) {
  const words = useWords(payment_words)
  return (
    <>
      <CodeBlock title={item.kind} value={item.details} />
      {item.kind === 'delivery' && <Resend sent={item.details} label={words.resend} />}
    </>
  )
}

interface ResendProps {
  sent: { webhook_id: string; event_id: string; store_id: string | null }
  label: string
}

function Resend({ sent, label }: ResendProps) {
  const { webhook_id, event_id, store_id } = sent
  const words = useWords(payment_words)
  const toast = useToast()
  const may_send = useCan('webhooks:write')
  const send = useChange(
    (api, _: null) => api.webhooks.redeliverEvent(webhook_id, event_id, {}, { store_id }),
    stale_with_payment,
  )
  if (!may_send) return <MissingRight right="webhooks:write" />
  return (
    <p>
      <Button
        small
        busy={send.isPending}
        onClick={() => send.mutate(null, { onSuccess: () => toast(words.resent) })}
      >
        {label}
      </Button>
    </p>
  )
}
