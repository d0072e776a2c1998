import { useState } from 'react'
import { useChange, useRead } from '../../../api/api-hooks.ts'
import type { Routing, RoutingRule } from '../../../api/call-api.ts'
import { useUrlState } from '../../../api/url-state.ts'
import { Button } from '../../../parts/forms/button.tsx'
import { SelectField } from '../../../parts/forms/form-fields.tsx'
import { useToast } from '../../../parts/overlays/toasts.tsx'
import { ErrorState, Loading } from '../../../parts/screen/states.tsx'
import { useWords } from '../../../words/language.tsx'
import { RouteCheck } from './route-check.tsx'
import { routing_words } from './routing-words.ts'
import { RuleDialog } from './rule-dialog.tsx'
import { RuleList, RulesError } from './rule-list.tsx'
import '../connectors.css'

const installation = '00000000-0000-0000-0000-000000000000'

/** Which connector a live payment goes to: the rules of the installation, or of one merchant. */
export function RoutingRules() {
  const { values } = useUrlState()
  const merchant_id = values.merchant_id || installation
  const { data, error, refetch } = useRead((api) => api.operator.getRouting(merchant_id))
  return (
    <>
      <MerchantChoice merchant_id={merchant_id} />
      {error && !data ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : data ? (
        <>
          <Rules key={merchant_id} routing={data} />
          <RouteCheck
            key={`check ${merchant_id}`}
            read={(api, query) => api.operator.getRouting(merchant_id, query)}
          />
        </>
      ) : (
        <Loading />
      )}
    </>
  )
}

function MerchantChoice({ merchant_id }: { merchant_id: string }) {
  const words = useWords(routing_words)
  const { set } = useUrlState()
  const { data } = useRead((api) => api.operator.listMerchants({ limit: 100 }))
  const merchants = data?.items ?? []
  const is_listed = merchant_id === installation || merchants.some(({ id }) => id === merchant_id)
  return (
    <div className="rules-of">
      <SelectField
        label={words.rules_of}
        value={merchant_id}
        options={[
          [installation, words.installation],
          ...(is_listed ? [] : [[merchant_id, merchant_id] as const]),
          ...merchants.map(({ id, name }) => [id, name] as const),
        ]}
        onChange={({ target }) =>
          set({ merchant_id: target.value === installation ? '' : target.value })
        }
      />
    </div>
  )
}

function Rules({ routing }: { routing: Routing }) {
  const words = useWords(routing_words)
  const toast = useToast()
  const [editing, setEditing] = useState<number | null>(null)
  const { merchant_id, rules, version } = routing
  const change = useChange(
    (api, wanted: readonly RoutingRule[]) =>
      api.operator.updateRouting(merchant_id, { version, rules: [...wanted] }),
    ['operator.getRouting'],
  )
  const save = (wanted: readonly RoutingRule[], text: string, done = () => {}) =>
    change.mutate(wanted, {
      onSuccess: () => {
        toast(text)
        done()
      },
    })
  const swap = (at: number, other: number) => {
    const moved = rules.map((rule, place) =>
      place === at ? (rules[other] ?? rule) : place === other ? (rules[at] ?? rule) : rule,
    )
    save(moved, words.saved)
  }
  const none = merchant_id === installation ? words.none_installation : words.none_merchant
  return (
    <section className="section">
      <div className="section-head">
        <h2>{words.title}</h2>
        <Button icon="plus" onClick={() => setEditing(rules.length)}>
          {words.add_rule}
        </Button>
      </div>
      <p className="field-hint">{words.how}</p>
      <RuleList
        rules={rules}
        none={none}
        actions={(at) => (
          <RuleActions
            at={at}
            count={rules.length}
            busy={change.isPending}
            swap={swap}
            edit={() => setEditing(at)}
            remove={() =>
              save(
                rules.filter((_, place) => place !== at),
                words.removed,
              )
            }
          />
        )}
      />
      {editing === null && <RulesError error={change.error} />}
      {editing !== null && (
        <RuleDialog
          rule={rules[editing] ?? null}
          at={editing}
          error={change.error}
          busy={change.isPending}
          close={() => {
            change.reset()
            setEditing(null)
          }}
          save={(rule) => {
            const wanted = [...rules]
            wanted[editing] = rule
            save(wanted, words.saved, () => setEditing(null))
          }}
        />
      )}
    </section>
  )
}

interface ActionProps {
  at: number
  count: number
  busy: boolean
  swap: (at: number, other: number) => void
  edit: () => void
  remove: () => void
}

function RuleActions({ at, count, busy, swap, edit, remove }: ActionProps) {
  const words = useWords(routing_words)
  const position = at + 1
  const look = { kind: 'quiet', small: true } as const
  return (
    <span className="rule-actions">
      <Button
        {...look}
        icon="up"
        aria-label={words.up(position)}
        disabled={busy || at === 0}
        onClick={() => swap(at, at - 1)}
      />
      <Button
        {...look}
        icon="down"
        aria-label={words.down(position)}
        disabled={busy || position === count}
        onClick={() => swap(at, at + 1)}
      />
      <Button
        {...look}
        icon="edit"
        aria-label={words.edit(position)}
        disabled={busy}
        onClick={edit}
      />
      <Button
        {...look}
        icon="close"
        aria-label={words.remove(position)}
        disabled={busy}
        onClick={remove}
      />
    </span>
  )
}
