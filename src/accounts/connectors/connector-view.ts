import { sql } from 'kysely'
import Type, { type Static, type TSchema } from 'typebox'
import { connector_kinds } from '../../connectors/connectors.ts'
import { common } from '../../core/api/common-fields.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { Id, Instant, nullable } from '../../core/api/schemas.ts'
import {
  type AccountCapabilities,
  accountCurrencies,
  accountTakes,
} from '../../core/payments/account-capabilities.ts'
import { hour_ms } from '../../core/time/clock.ts'
import { findProvider } from '../../open-providers.ts'
import type { ConnectorTest } from '../../providers/connector.ts'
import type { Provider } from '../../providers/provider.ts'
import { now, type Service } from '../../service.ts'
import { listConnectors } from './connectors-store.ts'

const flag = Type.Boolean()
const whole = Type.Integer()
const text = Type.String()
const texts = Type.Array(text)

export const ConnectorTestView = named(
  'ConnectorTest',
  Type.Object({
    is_ok: described(flag, 'Whether the provider accepted the settings.'),
    text: described(text, 'The observation, or the fault.'),
    tested_on: described(Instant, 'The time of the call.'),
  }),
  'A call to a provider that has no effect.',
)
type ConnectorTestView = Static<typeof ConnectorTestView>

const Account = named(
  'ConnectorAccount',
  Type.Object({
    merchant_id: described(Id, 'The owner of the settings.'),
    merchant_name: common.merchant_name,
    store_id: described(nullable(Id), 'The only store that uses them; null: all of the merchant.'),
    store_name: described(nullable(text), 'Its name.'),
    updated_on: common.updated_on,
  }),
  'Settings of a merchant or store. They are never shown.',
)

const Capabilities = named(
  'ConnectorCapabilities',
  Type.Object({
    payment_types: described(texts, 'The payment types that it takes.'),
    brands: described(nullable(texts), 'Null: every brand of these types.'),
    currencies: described(texts, 'The currencies that it takes without conversion.'),
    partial_capture: described(flag, 'Whether a part can be captured.'),
    partial_refund: described(flag, 'Whether a part can be refunded.'),
    notifications: described(flag, 'Whether it sends notifications.'),
    disputes: described(flag, 'Whether it reports disputes.'),
    settlements: described(flag, 'Whether it reports settlements.'),
  }),
  "The capabilities of a connector, with the installation's settings.",
)

const Health = named(
  'ConnectorHealth',
  Type.Object({
    open_circuits: described(whole, 'Accounts that the answering process passes over for now.'),
    calls: described(whole, 'Calls within the last hour.'),
    refused: described(whole, 'The calls that the provider refused.'),
    unanswered: described(whole, 'The calls with an unknown outcome.'),
  }),
  'The responses of a connector.',
)

export const ConnectorView = named(
  'Connector',
  Type.Object({
    id: described(Id, 'The id of the connector.'),
    name: described(text, 'Its name, which charges keep.'),
    kind: described(text, 'The kind of connector.'),
    enabled: described(
      flag,
      'Whether it takes new payments. Refunds and captures always continue.',
    ),
    has_settings: described(flag, 'Whether the installation has settings there.'),
    accounts: described(Type.Array(Account), 'Settings of merchants and stores, at most 100.'),
    capabilities: described(nullable(Capabilities), 'Null: this release lacks the kind.'),
    health: described(Health, 'The health of its provider.'),
    last_test: described(
      nullable(ConnectorTestView),
      'The last test call by way of the API; null without one.',
    ),
    created_on: common.created_on,
    updated_on: common.updated_on,
  }),
  'The connectors of live payments.',
)
type ConnectorView = Static<typeof ConnectorView>

const Setting = named(
  'ConnectorSetting',
  Type.Object({
    name: described(text, 'Its name.'),
    description: described(text, 'The kind.'),
    required: described(flag, 'Whether it must be given.'),
    is_secret: described(flag, 'Whether it is hidden while it is typed.'),
  }),
  'The settings of a connector.',
)

const KindView = named(
  'ConnectorKind',
  Type.Object({
    kind: described(text, 'Its name.'),
    title: described(text, 'One sentence about it.'),
    settings: described(Type.Array(Setting), 'Its settings.'),
  }),
  'A kind of connector.',
)

export const ConnectorList = named(
  'ConnectorList',
  Type.Object({
    connectors: described(Type.Array(ConnectorView), 'In the order of their creation.'),
    kinds: described(Type.Array(KindView), 'The kinds that can be added.'),
  }),
  'The connectors of this installation.',
)

/** The fields of the form of each kind. */
export function viewKinds(): Static<typeof KindView>[] {
  return connector_kinds.map(({ kind, title, settings }) => ({
    kind,
    title,
    settings: Object.entries(settings.properties).map(([name, schema]) => {
      const { description = '', writeOnly = false } = schema as TSchema & Shown
      const required = (settings.required ?? []).includes(name)
      return { name, description, required, is_secret: writeOnly }
    }),
  }))
}

interface Shown {
  readonly description?: string
  readonly writeOnly?: boolean
}

/** Every connector with all that is known of it, except its settings. */
export async function viewConnectors(service: Service): Promise<ConnectorView[]> {
  const rows = await listConnectors(service)
  const accounts = await readAccounts(service)
  const calls = await readCalls(service)
  const tests = await readTests(service)
  const open = service.providers.circuits.open()
  return rows.map(({ disabled_on, accounts: _, takes, ...row }) => {
    const provider = findProvider(service.providers, row.name)
    const none = { calls: 0, refused: 0, unanswered: 0 }
    return {
      ...row,
      enabled: disabled_on === null,
      accounts: accounts.filter(({ provider: of }) => of === row.name).map(viewAccount),
      capabilities: provider && viewCapabilities(provider, takes),
      health: { open_circuits: open.get(row.name) ?? 0, ...(calls.get(row.name) ?? none) },
      last_test: tests.get(row.id) ?? null,
      created_on: row.created_on.toISOString(),
      updated_on: row.updated_on.toISOString(),
    }
  })
}

/** The test as it is shown, at the time of the service. */
export function viewTest(service: Service, test: ConnectorTest): ConnectorTestView {
  const tested_on = now(service).toISOString()
  return { is_ok: test.is_ok, text: test.is_ok ? test.seen : test.problem, tested_on }
}

function viewCapabilities(
  provider: Provider,
  takes: AccountCapabilities | null,
): Static<typeof Capabilities> {
  const { payment_types, brands, currencies, ...can } = provider.capabilities
  const types = payment_types.filter((payment_type) =>
    accountTakes(takes, { payment_type, brand: null }),
  )
  const taken = types.flatMap((payment_type) =>
    (brands ?? [null]).flatMap((brand) => currencies({ payment_type, brand })),
  )
  // Null where a type has all of them: the others are named.
  const own = Object.values(takes?.payment_types ?? {}).flatMap((of_type) => of_type ?? [])
  return {
    payment_types: types,
    brands: own.length > 0 ? [...new Set(own)] : brands && [...brands],
    currencies: [...accountCurrencies(takes, [...new Set(taken)])],
    partial_capture: can.partial_capture,
    partial_refund: can.partial_refund,
    notifications: can.notifications,
    disputes: provider.disputes !== undefined,
    settlements: provider.settlements !== undefined,
  }
}

interface AccountRow extends Omit<Static<typeof Account>, 'updated_on'> {
  readonly provider: string
  readonly updated_on: Date
}

function viewAccount({ provider: _, updated_on, ...account }: AccountRow) {
  return { ...account, updated_on: updated_on.toISOString() }
}

async function readAccounts({ db }: Service): Promise<AccountRow[]> {
  const { rows } = await sql<AccountRow>`
    select p.provider, p.merchant_id, m.name as merchant_name, p.store_id, s.name as store_name,
      p.updated_on
    from connectors c cross join lateral (
      select * from provider_credentials where provider = c.name order by id limit 100) as p
    join merchants m on m.id = p.merchant_id
    left join stores s on s.merchant_id = p.merchant_id and s.id = p.store_id
    order by m.name, s.name nulls first`.execute(db)
  return rows
}

async function readCalls(service: Service) {
  const since = new Date(now(service).getTime() - hour_ms)
  const { rows } = await sql<{
    provider: string
    calls: number
    refused: number
    unanswered: number
  }>`select provider, count(*)::integer as calls,
      (count(*) filter (where outcome = 'refused'))::integer as refused,
      (count(*) filter (where outcome = 'unknown' or outcome is null
        or (outcome = 'not_taken' and not is_inquiry)))::integer
        as unanswered
    from provider_operations where started_on > ${since} group by 1`.execute(service.db)
  return new Map(rows.map(({ provider, ...counts }) => [provider, counts]))
}

/** From the audit log of operators, which has the results of their calls. */
async function readTests({ db }: Service): Promise<Map<string, ConnectorTestView>> {
  const { rows } = await sql<{ id: string; test: ConnectorTestView }>`
    select c.id, coalesce(a.after -> 'last_test', a.after) as test
    from connectors c cross join lateral (
      select l.details -> 'after' as after
      from (select distinct merchant_id from users where is_operator) as o
      join audit_log l on l.merchant_id = o.merchant_id and l.resource_id = c.id
      where l.kind = 'ended' and l.action in ('createConnector', 'pingConnector')
        and l.details ->> 'status' in ('200', '201')
      order by l.id desc limit 1) as a
    where json_typeof(coalesce(a.after -> 'last_test', a.after)) = 'object'`.execute(db)
  return new Map(rows.map(({ id, test }) => [id, test]))
}
