import { Value } from 'typebox/value'
import { connector_kinds, findKind } from '../../connectors/connectors.ts'
import type { FieldError } from '../../core/api/errors.ts'
import { InputError } from '../../core/api/plain-error.ts'
import { installation_id } from '../../core/ids.ts'
import { routing_policy } from '../../core/limits/retry-policies.ts'
import { objectOf } from '../../core/read-unknown.ts'
import { connectors_changed } from '../../open-providers.ts'
import type { ConnectorKind, ConnectorTest } from '../../providers/connector.ts'
import type { Credentials } from '../../providers/provider-operations.ts'
import {
  announce,
  inTransaction,
  newRow,
  now,
  type Service,
  type Transacting,
} from '../../service.ts'
import { seal } from '../../vault/seal.ts'
import {
  type CredentialOwner,
  findCredentials,
  openCredentials,
  openInstallationSettings,
  setCredentials,
  settingsContext,
} from '../provider-credentials/provider-credentials.ts'
import { type ProviderAccount, storeCapabilities } from './ask-capabilities.ts'

/** Every process has all of them open. */
const max_connectors = 100
const connector_name = /^[a-z0-9-]{1,40}$/

interface NewConnector {
  readonly name: string
  readonly kind: string
  /** Whose settings they are; null: the installation's. */
  readonly owner: CredentialOwner | null
  /** Null: only merchants and stores with settings of their own use it. */
  readonly settings: unknown
}

/**
 * Adds a connector, or settings to an existing one. The new settings replace the previous ones, also for
 * payments that were made with those. They are tested first: settings that the provider refuses are not
 * stored.
 */
export async function addConnector(
  service: Service,
  { name, kind, owner, settings: given }: NewConnector,
): Promise<ConnectorTest | null> {
  if (!connector_name.test(name)) {
    const rule = 'must be 1 to 40 of a-z, 0-9 and -'
    throw wrongField('The name of a connector is 1 to 40 of a-z, 0-9 and -.', {
      field: 'name',
      reason: 'INVALID_FORMAT',
      rule,
    })
  }
  const of_kind = requireKind(kind)
  const settings = given === null ? null : readSettings(of_kind, given)
  if (owner && !settings) {
    const fault = { field: 'settings', reason: 'REQUIRED_VALUE' } as const
    throw wrongField('Settings of a merchant or store must be given.', fault)
  }
  if (owner) await requireOwner(service, owner)
  const tested = settings && (await testSettings(of_kind, settings))
  if (tested && !tested.is_ok) {
    throw new InputError(`The test call failed: ${tested.problem}`, 'CONNECTOR_TEST_FAILED')
  }
  await inTransaction(service, async (tx) => {
    await insertConnector(tx, name, kind)
    const account = settings && (await storeSettings(tx, name, owner, settings))
    if (account && tested?.takes) await storeCapabilities(tx, account, tested.takes)
    await announce(tx, 'routing', connectors_changed)
  })
  return tested
}

async function storeSettings(
  tx: Transacting,
  name: string,
  owner: CredentialOwner | null,
  settings: Credentials,
): Promise<ProviderAccount> {
  const merchant_id = owner?.merchant_id ?? installation_id
  const id = owner
    ? await setCredentials(tx, name, owner, settings)
    : await setInstallationSettings(tx, name, settings)
  return { merchant_id, id, provider: name }
}

async function insertConnector(tx: Transacting, name: string, kind: string): Promise<void> {
  const known = await tx.db.selectFrom('connectors').select(['name', 'kind']).execute()
  const found = known.find((one) => one.name === name)
  if (found && found.kind !== kind) {
    throw wrongField(
      `The connector ${name} is of the kind ${found.kind}. Choose another name for one of the kind ${kind}.`,
      { field: 'kind', reason: 'NOT_ALLOWED_VALUE', rule: `is ${found.kind} for this name` },
    )
  }
  if (found) return
  const is_taken = tx.providers.all.some((one) => [one.name, one.callback_name].includes(name))
  if (is_taken) {
    const fault = { field: 'name', reason: 'NOT_ALLOWED_VALUE', rule: 'is taken' } as const
    throw wrongField(`The name ${name} is taken. Choose another one.`, fault)
  }
  if (known.length >= max_connectors) {
    const text = `An installation has at most ${max_connectors} connectors.`
    throw new InputError(text, 'RESOURCE_LIMIT_REACHED')
  }
  const { id, created_on } = newRow(tx)
  const dates = { created_on, updated_on: created_on }
  await tx.db
    .insertInto('connectors')
    .values({ id, name, kind, settings: null, disabled_on: null, ...dates })
    .execute()
}

async function setInstallationSettings(
  tx: Transacting,
  name: string,
  settings: Credentials,
): Promise<string> {
  const { id } = await tx.db
    .selectFrom('connectors')
    .select('id')
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const sealed = seal(tx.keys.vault, settingsContext(id), JSON.stringify(settings))
  await tx.db
    .updateTable('connectors')
    .set({ settings: sealed, updated_on: now(tx) })
    .where('name', '=', name)
    .execute()
  return id
}

/** A disabled connector takes no new payments; follow-ups of its existing payments continue. */
export async function setDisabled(
  service: Service,
  name: string,
  is_disabled: boolean,
): Promise<void> {
  await inTransaction(service, async (tx) => {
    const at = now(tx)
    const changed = await tx.db
      .updateTable('connectors')
      .set({ disabled_on: is_disabled ? at : null, updated_on: at })
      .where('name', '=', name)
      .returning('id')
      .executeTakeFirst()
    if (!changed) throw noSuchConnector(name)
    await announce(tx, 'routing', connectors_changed)
  })
}

/** Tries the settings that a payment of the owner would be sent with. */
export async function testConnector(
  service: Service,
  name: string,
  owner: CredentialOwner | null,
): Promise<ConnectorTest> {
  const found = await service.db
    .selectFrom('connectors')
    .select(['id', 'kind'])
    .where('name', '=', name)
    .executeTakeFirst()
  if (!found) throw noSuchConnector(name)
  const kind = requireKind(found.kind)
  if (owner) await requireOwner(service, owner)
  const own = owner && (await ownSettings(service, name, owner))
  const settings = own?.settings ?? (await openInstallationSettings(service, name))?.reveal()
  if (!settings) {
    const fault = {
      field: 'merchant_id',
      reason: 'NOT_ALLOWED_VALUE',
      rule: 'has no settings',
    } as const
    throw wrongField(`The connector ${name} has no settings for that. Add them first.`, fault)
  }
  const tested = await testSettings(kind, settings)
  const account = own?.account ?? { merchant_id: installation_id, id: found.id, provider: name }
  if (tested.is_ok && tested.takes) {
    const { takes } = tested
    await inTransaction(service, (tx) => storeCapabilities(tx, account, takes))
  }
  return tested
}

/** The connectors of the store, or of its merchant. */
async function ownSettings(
  service: Service,
  name: string,
  { merchant_id, store_id }: CredentialOwner,
): Promise<{ account: ProviderAccount; settings: Credentials } | null> {
  const provider = service.providers.all.find((one) => one.name === name)
  const id = provider && (await findCredentials(service, provider, { merchant_id, store_id }))
  const [own] = provider && id ? await openCredentials(service, provider, merchant_id, id) : []
  if (!id || !own) return null
  return { account: { merchant_id, id, provider: name }, settings: own.reveal() }
}

async function testSettings(kind: ConnectorKind, settings: Credentials): Promise<ConnectorTest> {
  try {
    return await kind.test(settings, AbortSignal.timeout(routing_policy.test_ms))
  } catch (error) {
    return { is_ok: false, problem: error instanceof Error ? error.message : 'no answer' }
  }
}

export async function listConnectors({ db }: Service) {
  const rows = await db
    .selectFrom('connectors as c')
    .leftJoin('account_capabilities as a', (join) =>
      join.onRef('a.merchant_id', '=', 'c.merchant_id').onRef('a.id', '=', 'c.id'),
    )
    .select(['c.id', 'name', 'kind', 'disabled_on', 'c.created_on', 'c.updated_on', 'a.takes'])
    .select((row) => row('settings', 'is not', null).as('has_settings'))
    .select((row) =>
      row
        .selectFrom('provider_credentials as p')
        .select((count) => count.fn.countAll<number>().as('accounts'))
        .whereRef('p.provider', '=', 'c.name')
        .as('accounts'),
    )
    .orderBy('c.id')
    .execute()
  return rows.map(({ has_settings, accounts, ...row }) => ({
    ...row,
    has_settings: Boolean(has_settings),
    accounts: Number(accounts ?? 0),
  }))
}

function requireKind(kind: string): ConnectorKind {
  const found = findKind(kind)
  if (found) return found
  const kinds = connector_kinds.map((one) => one.kind).join(', ')
  const rule = `must be one of ${kinds}`
  throw wrongField(`There is no kind "${kind}". It is one of ${kinds}.`, {
    field: 'kind',
    reason: 'NOT_ALLOWED_VALUE',
    rule,
  })
}

/** Every wrong field is named; no value is repeated, because it may be a secret. */
function readSettings({ kind, settings: schema }: ConnectorKind, given: unknown): Credentials {
  const names = Object.keys(schema.properties)
  const unknown = Object.keys(Object(given)).filter((name) => !names.includes(name))
  const found = Value.Errors(schema, given).flatMap(
    ({ instancePath, message, params }): Fault[] => {
      const { requiredProperties, additionalProperties }: Named = objectOf(params)
      if (requiredProperties) return requiredProperties.map((name) => [name, 'is required'])
      const name = instancePath.slice(1)
      return additionalProperties || unknown.includes(name) ? [] : [[name, message]]
    },
  )
  const faults = [...found, ...unknown.map((name): Fault => [name, 'is no setting'])]
  if (faults.length === 0) return given as Credentials
  const fields = Object.entries(schema.properties).map(
    ([name, { description = '' }]: [string, { description?: string }]) =>
      `\n  ${name}: ${description}`,
  )
  const texts = [...new Set(faults.map(([name, rule]) => `${name || 'the whole'} ${rule}`))]
  throw wrongField(
    `The settings are wrong: ${texts.join('; ')}. Those of ${kind} are:${fields.join('')}`,
    ...faults.map(([name, rule]) => settingFault(name, rule)),
  )
}

type Fault = readonly [name: string, rule: string]

interface Named {
  readonly requiredProperties?: readonly string[]
  readonly additionalProperties?: readonly string[]
}

function settingFault(name: string, rule: string): FieldError {
  const field = name === '' ? 'settings' : `settings.${name}`
  const reason = rule === 'is required' ? 'REQUIRED_VALUE' : 'INVALID_FORMAT'
  return { field, reason, rule }
}

async function requireOwner(
  { db }: Service,
  { merchant_id, store_id }: CredentialOwner,
): Promise<void> {
  const of_store = db
    .selectFrom('stores')
    .select('id')
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', store_id)
    .where('deleted_on', 'is', null)
  const merchant = db.selectFrom('merchants').select('id').where('id', '=', merchant_id)
  if (!(await merchant.executeTakeFirst())) {
    const fault = { field: 'merchant_id', reason: 'NOT_ALLOWED_VALUE', rule: 'is unknown' } as const
    throw wrongField(`There is no merchant ${merchant_id}.`, fault)
  }
  if (store_id !== null && !(await of_store.executeTakeFirst())) {
    const rule = 'is no store of the merchant'
    const fault = { field: 'store_id', reason: 'NOT_ALLOWED_VALUE', rule } as const
    throw wrongField(`The merchant has no store ${store_id}.`, fault)
  }
}

export function wrongField(message: string, ...faults: FieldError[]): InputError {
  return new InputError(message, 'VALIDATION_ERROR', faults)
}

export function noSuchConnector(name: string): InputError {
  const text = `There is no connector ${name}. "kaikei connectors list" lists them.`
  return new InputError(text, 'NOT_FOUND')
}
