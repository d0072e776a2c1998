import { Link } from 'wouter'
import { useRead } from '../../api/api-hooks.ts'
import type { Attention, AttentionItem } from '../../api/call-api.ts'
import { useStoreChoice } from '../../frame/store-choice.tsx'
import { Icon } from '../../parts/values/icon.tsx'
import { useTimeFrame } from '../../parts/values/time-text.tsx'
import { formatNumber } from '../../words/format-values.ts'
import { useLanguage, useWords } from '../../words/language.tsx'
import { webhookHref } from '../developers/webhooks/webhook-path.ts'
import { home_words } from './home-words.ts'

type Group = keyof Attention

/** Deliveries and returned deposits are counted since then. */
const counted_ms = 7 * 86_400_000

/** The list of a group's cases; a single case opens directly. */
const places: Readonly<Record<Group, (only: AttentionItem | null, week: string) => string>> = {
  open_disputes: (only) =>
    only ? `/disputes/${only.store_id}/${only.resource_id}` : '/disputes?status=needs_response',
  failed_deliveries: (_, week) => `/developers?tab=deliveries&status=failed&from=${week}`,
  open_circuits: (only) =>
    only?.webhook_id
      ? webhookHref({ webhook_id: only.webhook_id, store_id: only.store_id })
      : '/developers?paused=true',
  awaiting_deposits: () => '/deposits?status=expected',
  expiring_authorizations: (only) =>
    only
      ? `/payments/${only.store_id}/${only.resource_id}`
      : '/payments?type=charge&expires_within_hours=48',
  unpaid_subscriptions: (only) =>
    only ? `/subscriptions/${only.store_id}/${only.resource_id}` : '/subscriptions?status=unpaid',
  card_testing: () => '/checkout?tab=protection',
  returned_deposits: (_, week) => `/deposits?status=returning,returned,unreturned&from=${week}`,
}

/** The items that need the merchant's attention, or that there are none. */
export function AttentionList() {
  const words = useWords(home_words)
  const { language } = useLanguage()
  const { store_id } = useStoreChoice()
  const { now } = useTimeFrame()
  const week = new Date(now - counted_ms).toISOString()
  const { data } = useRead((api) => api.activity.getAttention(store_id ? { store_id } : {}), {
    refresh_ms: 15_000,
  })
  if (!data) return null
  const groups = (Object.keys(places) as Group[]).filter((name) => data[name].count > 0)
  return (
    <section className="section">
      <h2>{words.attention}</h2>
      {groups.length === 0 && (
        <p className="all-well">
          <Icon name="check" />
          {words.all_well}
        </p>
      )}
      <ul className="attention">
        {groups.map((name) => {
          const { count, has_more, newest } = data[name]
          const only = count === 1 && !has_more ? (newest[0] ?? null) : null
          return (
            <li key={name}>
              <Link href={places[name](only, week)}>
                <span>{words.groups[name]}</span>
                <strong>{has_more ? words.more(count) : formatNumber(count, language)}</strong>
                <Icon name="right" size={14} />
              </Link>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
