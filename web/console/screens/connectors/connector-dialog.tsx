import { type ReactNode, useState } from 'react'
import { useChange } from '../../api/api-hooks.ts'
import type { Connector, ConnectorKind, TestConnector } from '../../api/call-api.ts'
import { Button } from '../../parts/forms/button.tsx'
import { FormError } from '../../parts/forms/form-fields.tsx'
import { Dialog, DialogActions } from '../../parts/overlays/dialog.tsx'
import { useToast } from '../../parts/overlays/toasts.tsx'
import { Icon } from '../../parts/values/icon.tsx'
import { IdText } from '../../parts/values/id-text.tsx'
import { KeyValues } from '../../parts/values/key-values.tsx'
import { useBrandName } from '../../words/brand-words.ts'
import { joinList } from '../../words/format-values.ts'
import { useLanguage, useWords } from '../../words/language.tsx'
import { method_words } from '../../words/status-words.ts'
import { AddConnectorDialog } from './add-connector-dialog.tsx'
import { ConnectorState, LastTest, useOwnersText } from './connector-parts.tsx'
import { connectors_words } from './connectors-words.ts'
import { cautionOf, kindName } from './setting-words.ts'

interface Props {
  connector: Connector
  kinds: readonly ConnectorKind[]
  close: () => void
}

const stale = ['operator.listConnectors', 'operator.getRouting'] as const

/** A connector: how it is, what it can do, a test call, and whether it takes payments. */
export function ConnectorDialog({ connector, kinds, close }: Props) {
  const words = useWords(connectors_words)
  const toast = useToast()
  const [is_adding, setAdding] = useState(false)
  const { id, name, enabled, has_settings, accounts } = connector
  const change = useChange(
    (api, wanted: boolean) => api.operator.updateConnector(id, { enabled: wanted }),
    stale,
  )
  const test = useChange(
    (api, whose: TestConnector) => api.operator.pingConnector(id, whose),
    stale,
  )
  const rows = useRows(connector)
  if (is_adding) return <AddConnectorDialog kinds={kinds} connector={connector} close={close} />
  const toggle = () =>
    change.mutate(!enabled, {
      onSuccess: () => {
        toast(enabled ? words.disabled(name) : words.enabled(name))
        close()
      },
    })
  return (
    <Dialog open close={close} title={name} wide>
      <KeyValues rows={rows} />
      <Accounts accounts={accounts} busy={test.isPending} test={test.mutate} />
      {test.data && <TestResult is_ok={test.data.is_ok} text={test.data.text} />}
      <FormError error={test.error ?? change.error} />
      <DialogActions>
        <Button busy={change.isPending} onClick={toggle}>
          {enabled ? words.disable : words.enable}
        </Button>
        <Button onClick={() => setAdding(true)}>{words.add_settings}</Button>
        <Button
          kind="primary"
          busy={test.isPending}
          disabled={!has_settings}
          onClick={() => test.mutate({})}
        >
          {words.test}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function TestResult({ is_ok, text }: { is_ok: boolean; text: string }) {
  const words = useWords(connectors_words)
  return (
    <p className={`test-result ${is_ok ? 'good' : 'bad'}`} role="status">
      <Icon name={is_ok ? 'check' : 'warning'} />
      <span>
        <strong>{is_ok ? words.test_ok : words.test_bad}</strong> {text}
      </span>
    </p>
  )
}

function useRows(connector: Connector): (readonly [ReactNode, ReactNode])[] {
  const words = useWords(connectors_words)
  const names = useWords(method_words)
  const { language } = useLanguage()
  const brandName = useBrandName()
  const ownersText = useOwnersText()
  const { name, kind, health, last_test, capabilities } = connector
  const { calls, refused, unanswered } = health
  const kind_text = [kindName(kind, language), cautionOf(kind, language)].filter(Boolean)
  const rows: (readonly [ReactNode, ReactNode])[] = [
    [words.state, <ConnectorState key="state" connector={connector} />],
    [words.kind, kind_text.join('. ')],
    [words.settings, ownersText(connector)],
    [words.last_hour, words.calls(calls, refused, unanswered)],
    [words.last_test, <LastTest key="test" test={last_test} />],
    [words.callback, <code key="callback">/callbacks/{name}</code>],
  ]
  if (!capabilities) return rows
  const { brands, currencies, payment_types } = capabilities
  const listed = (texts: Readonly<Record<string, string>>) =>
    joinList(
      Object.entries(texts)
        .filter(([key]) => capabilities[key as keyof typeof capabilities])
        .map(([, text]) => text),
      language,
    ) || words.none
  const few = 8
  return [
    ...rows,
    [
      words.payment_types,
      joinList(
        payment_types.map((one) => names[one as keyof typeof names]),
        language,
      ),
    ],
    [words.brands, brands ? joinList(brands.map(brandName), language) : words.all_brands],
    [
      words.currencies,
      currencies.length > few
        ? words.all_currencies(currencies.length)
        : joinList(currencies, language),
    ],
    [words.parts, listed(words.part_names)],
    [words.reports, listed(words.report_names)],
    [
      '',
      <span key="most" className="quiet">
        {words.at_most}
      </span>,
    ],
  ]
}

interface AccountsProps {
  accounts: Connector['accounts']
  busy: boolean
  test: (whose: TestConnector) => void
}

function Accounts({ accounts, busy, test }: AccountsProps) {
  const words = useWords(connectors_words)
  if (accounts.length === 0) return null
  return (
    <section>
      <h3 className="dialog-part">{words.accounts}</h3>
      <ul className="connector-accounts">
        {accounts.map(({ merchant_id, merchant_name, store_id, store_name }) => {
          const name = `${merchant_name} · ${store_name ?? words.all_stores}`
          return (
            <li key={`${merchant_id} ${store_id}`}>
              <span>{name}</span>
              <IdText id={merchant_id} />
              <Button
                kind="quiet"
                small
                disabled={busy}
                aria-label={`${words.test}: ${name}`}
                onClick={() => test({ merchant_id, store_id })}
              >
                {words.test}
              </Button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
