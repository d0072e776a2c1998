import type { ErrorObject } from 'ajv'
import { type FieldError, oneOf, type Reason } from '../../core/api/errors.ts'
import { pattern_rules } from '../../core/api/schemas.ts'
import { objectOf, recordOf } from '../../core/read-unknown.ts'
import { type FormatName, formats } from '../../core/typed/formats.ts'

const reason_by_keyword: Readonly<Record<string, Reason>> = {
  required: 'REQUIRED_VALUE',
  enum: 'NOT_ALLOWED_VALUE',
  const: 'NOT_ALLOWED_VALUE',
  minLength: 'INVALID_FORMAT_LENGTH',
  maxLength: 'INVALID_FORMAT_LENGTH',
  minItems: 'MUST_HAVE_AT_LEAST_ONE_ELEMENT',
  maxItems: 'INVALID_FORMAT_LENGTH',
  minimum: 'NUMBER_MIN',
  maximum: 'NUMBER_MAX',
}

/** A body full of faults must not cause a huge response. */
const max_faults = 50

function reasonOf({ keyword, params }: ErrorObject): Reason {
  if (keyword === 'format') return formats[params.format as FormatName].reason
  if (keyword === 'type') {
    return [params.type].flat().includes('object') ? 'INVALID_FORMAT_OBJECT' : 'INVALID_FORMAT'
  }
  // The value that selects a branch is unknown or no string.
  if (keyword === 'discriminator' && params.error === 'mapping') return 'NOT_ALLOWED_VALUE'
  return reason_by_keyword[keyword] ?? 'INVALID_FORMAT'
}

function fieldOf({ keyword, instancePath, params }: ErrorObject, part: string): string {
  const path = instancePath
    .slice(1)
    .replaceAll('/', '.')
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
  const inner: string | undefined =
    keyword === 'discriminator' ? params.tag : params.missingProperty
  return [path, inner].filter(Boolean).join('.') || part
}

interface Around {
  type?: string | string[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  oneOf?: { properties?: Record<string, { const?: unknown; enum?: unknown[] }> }[]
}

const type_words: Readonly<Record<string, string>> = {
  integer: 'an integer',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  object: 'a JSON object',
  array: 'an array',
}

/** "between 10 and 100", "at least 1", "at most 255". */
function bounds(min: number | undefined, max: number | undefined): string {
  if (min === undefined) return `at most ${max}`
  if (max === undefined) return `at least ${min}`
  return min === max ? `exactly ${min}` : `between ${min} and ${max}`
}

/**
 * The rule of the schema, in words that follow the name of the field; otherwise the reason's own text.
 */
function ruleOf({ keyword, params, parentSchema }: ErrorObject): string | null {
  const around: Around = objectOf(parentSchema)
  switch (keyword) {
    case 'type': {
      const names = [params.type].flat().filter((name) => name !== 'null')
      return `must be ${names.map((name) => type_words[name] ?? name).join(' or ')}`
    }
    case 'enum':
      return oneOf(params.allowedValues)
    case 'const':
      return oneOf([params.allowedValue])
    case 'minimum':
    case 'maximum':
      return `must be ${bounds(around.minimum, around.maximum)}`
    case 'minLength':
    case 'maxLength':
      return `must have ${bounds(around.minLength, around.maxLength)} characters`
    case 'minItems':
    case 'maxItems':
      return `must have ${bounds(around.minItems, around.maxItems)} elements`
    case 'uniqueItems':
      return 'must not have an element twice'
    case 'format': {
      const format = formats[params.format as FormatName]
      return 'rule' in format ? format.rule : null
    }
    case 'pattern':
      return pattern_rules[params.pattern] ?? null
    case 'discriminator':
      return oneOf(branchNames(around, params.tag))
    default:
      return null
  }
}

function branchNames({ oneOf: branches = [] }: Around, tag: string): unknown[] {
  return branches.flatMap(({ properties }) => {
    const { const: only, enum: several = [only] } = properties?.[tag] ?? {}
    return several
  })
}

/** Fields whose values are not repeated, even if they are short numbers. */
const secret_field = /card|cvv|exp_|code|otp|password|secret|token/

const kind_words: Readonly<Record<string, string>> = {
  number: 'a number',
  string: 'a string',
  boolean: 'a boolean',
  object: 'an object',
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'an array' : (kind_words[typeof value] ?? typeof value)
}

function wordIn(value: unknown): string | undefined {
  return typeof value === 'string' && /^[a-z][a-z_]{0,31}$/i.test(value) ? value : undefined
}

/**
 * The received value for the message: numbers up to 12 digits, words like those of an enumeration, and
 * otherwise only the type or the length. Card numbers and secrets are longer or have digits.
 */
function receivedIn({ keyword, data, params }: ErrorObject, field: string, part: string) {
  if (secret_field.test(field)) return undefined
  switch (keyword) {
    case 'type':
      return part === 'body' ? kindOf(data) : undefined
    case 'minimum':
    case 'maximum':
      return typeof data === 'number' && Math.abs(data) < 1e12 ? String(data) : undefined
    case 'enum':
    case 'const':
      return wordIn(data)
    case 'discriminator':
      return wordIn(recordOf(data)[params.tag])
    case 'minLength':
    case 'maxLength':
      return typeof data === 'string' && data !== '' ? String([...data].length) : undefined
    case 'minItems':
    case 'maxItems':
      return Array.isArray(data) ? String(data.length) : undefined
    default:
      return undefined
  }
}

/** The faults that a schema found: every wrong field once, with its first fault. */
export function schemaFaults(found: readonly ErrorObject[], part: string): FieldError[] {
  const faults = new Map<string, FieldError>()
  for (const error of found) {
    const field = fieldOf(error, part)
    if (faults.has(field)) continue
    const rule = ruleOf(error)
    const received = receivedIn(error, field, part)
    faults.set(field, {
      field,
      reason: reasonOf(error),
      ...(rule === null ? {} : { rule }),
      ...(received === undefined ? {} : { received }),
    })
  }
  return [...faults.values()].slice(0, max_faults)
}
