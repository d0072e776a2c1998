import Type, { type Static, type TProperties, type TSchema } from 'typebox'
import {
  described,
  field_description,
  type Notes,
  named,
} from '../../core/api/described-schemas.ts'
import { type FieldError, fail } from '../../core/api/errors.ts'
import { nullable } from '../../core/api/schemas.ts'
import { isRecord } from '../../core/read-unknown.ts'
import type { StoredConfiguration } from '../../store/tables/tables.ts'
import { default_configuration } from './configuration-defaults.ts'
import { MerchantConfiguration, StoreConfiguration } from './configuration-shape.ts'

/** In a change every key is optional; null resets it to "not set". */
export const StoreConfigurationPatch = patchOf(StoreConfiguration)
export const MerchantConfigurationPatch = patchOf(MerchantConfiguration)

type AnyObject = Notes & {
  type: 'object'
  title?: string
  description?: string
  properties: TProperties
}

/** A group of settings. A nullable object, like an amount with its currency, is one value. */
function isObject(schema: TSchema): schema is TSchema & AnyObject {
  return 'properties' in schema && 'type' in schema && schema.type === 'object'
}

function patchOf(schema: TSchema & AnyObject): TSchema {
  const entries = Object.entries(schema.properties).map(([key, inner]) => [
    key,
    Type.Optional(isObject(inner) ? nullable(patchOf(inner)) : inner),
  ])
  const { title, description, [field_description]: note } = schema
  const patch = named(`Update${title}`, Type.Object(Object.fromEntries(entries)), description)
  return note ? described(patch, note) : patch
}

type Tree = { [key: string]: unknown }

function asTree(value: unknown): Tree {
  return isRecord(value) && !Array.isArray(value) ? value : {}
}

/** The configuration of a response: every key of the schema, null without a stored value. */
export function fillConfiguration<Schema extends TSchema & AnyObject>(
  schema: Schema,
  stored: unknown,
): Static<Schema> & Tree {
  const values = asTree(stored)
  const entries = Object.entries(schema.properties).map(([key, inner]) => [
    key,
    isObject(inner) ? fillConfiguration(inner, values[key]) : (values[key] ?? null),
  ])
  // Every key of the schema is there, and every value was checked by it when it was set.
  return Object.fromEntries(entries) as Static<Schema> & Tree
}

/** Keys that the operator sets, not the merchant: fees, payouts and granted privileges. */
const operator_keys = [
  'percent_fee',
  'flat_fees',
  'card_brand_percent_fees',
  'min_transfer_payout',
  'transfer_schedule',
  'platform_credentials_enabled',
  'tagged_platform_credentials_enabled',
  'card_configuration.three_ds_skip_enabled',
  'recurring_token_configuration.recurring_type',
] as const

function isOperatorKey(path: string): boolean {
  return operator_keys.some((key) => path === key || path.startsWith(`${key}.`))
}

/**
 * Applies a change. Objects are merged key by key, other values replaced. A merchant may send back the
 * operator's keys unchanged, but not with another value.
 */
export function patchConfiguration(
  schema: TSchema & AnyObject,
  stored: StoredConfiguration,
  patch: unknown,
  by: 'merchant' | 'operator',
): StoredConfiguration {
  const forbidden: FieldError[] = []
  const before = fillConfiguration(schema, stored)
  const after = merge(schema, before, patch, '', (path) => {
    if (by === 'merchant' && isOperatorKey(path)) {
      forbidden.push({ field: `configuration.${path}`, reason: 'CHANGE_PROHIBITED' })
    }
  })
  if (forbidden.length > 0) {
    fail('VALIDATION_ERROR', {
      errors: forbidden,
      message: 'Fees, payouts and privileges are set by the operator of this service.',
    })
  }
  return after
}

function merge(
  schema: TSchema & AnyObject,
  before: Tree,
  patch: unknown,
  path: string,
  onChange: (path: string) => void,
): Tree {
  const changes = asTree(patch)
  const entries = Object.entries(schema.properties).map(([key, inner]) => {
    const at = `${path}${key}`
    const old = before[key]
    if (!(key in changes)) return [key, old]
    if (isObject(inner)) {
      const change = changes[key] ?? clearing(inner)
      return [key, merge(inner, asTree(old), change, `${at}.`, onChange)]
    }
    if (JSON.stringify(old) !== JSON.stringify(changes[key])) onChange(at)
    return [key, changes[key]]
  })
  return Object.fromEntries(entries)
}

function clearing(schema: AnyObject): Tree {
  return Object.fromEntries(Object.keys(schema.properties).map((key) => [key, null]))
}

/** The effective configuration of a store: its own values, else those of its merchant. */
export function effectiveConfiguration(merchant: unknown, store: unknown): StoreConfiguration {
  const inherited = fillConfiguration(StoreConfiguration, merchant)
  const effective = inherit(inherited, fillConfiguration(StoreConfiguration, store))
  // Every key of the schema is there, and every value was checked by it when it was set.
  return effective as StoreConfiguration
}

/** The same with the defaults of the service where neither of them has a value. */
export function withDefaults(configuration: unknown): StoreConfiguration {
  return effectiveConfiguration(default_configuration, configuration)
}

function inherit(merchant: Tree, store: Tree): Tree {
  const entries = Object.entries(store).map(([key, value]) => {
    const above = merchant[key]
    const is_group = above !== null && typeof above === 'object' && !Array.isArray(above)
    if (value === null) return [key, above]
    return [key, is_group && !('amount' in above) ? inherit(asTree(above), asTree(value)) : value]
  })
  return Object.fromEntries(entries)
}
