import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import fastJsonStringify, { type Schema } from 'fast-json-stringify'
import { Failure, type FieldError, type Reason } from '../core/errors.ts'
import { type FormatName, formats } from '../core/formats.ts'
import { newIntegerCheck } from './plain-integers.ts'

function newAjv(coerceTypes: boolean): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    allowUnionTypes: true,
    coerceTypes,
    discriminator: true,
    strict: true,
    strictRequired: false,
    // Read from text, `1e400` is infinite; as a number it meets its maximum, as none it would not.
    strictNumbers: !coerceTypes,
    strictTypes: false,
    useDefaults: true,
  })
  for (const [name, { accepts }] of Object.entries(formats)) ajv.addFormat(name, accepts)
  return ajv
}

/** Everything in an address is text, so numbers and booleans are read from it; bodies are exact. */
const exact = newAjv(false)
const reading = newAjv(true)

/** Compiled when its route is first called: at the start it would be a second for all of them. */
export function validatorCompiler({ schema, httpPart }: { schema: object; httpPart?: string }) {
  const ajv = httpPart === 'body' ? exact : reading
  const checkIntegers = httpPart === 'body' ? null : newIntegerCheck(schema)
  let compiled: ValidateFunction | null = null
  const validate = (value: unknown): boolean => {
    compiled ??= ajv.compile(schema)
    checkIntegers?.(value)
    const is_valid = compiled(value)
    validate.errors = compiled.errors
    return is_valid
  }
  validate.errors = null as ValidateFunction['errors']
  return validate
}

/** Writes answers as their schema says; compiled when there is the first one. */
export function serializerCompiler({ schema }: { schema: object }) {
  let write: ((value: unknown) => string) | null = null
  return (value: unknown): string => {
    write ??= fastJsonStringify(schema as Schema)
    return write(value)
  }
}

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

/** So many faults of one request are told; a body full of them must not make a huge answer. */
const most_told = 50

function reasonOf({ keyword, params }: ErrorObject): Reason {
  if (keyword === 'format') return formats[params.format as FormatName].reason
  if (keyword === 'type') {
    return [params.type].flat().includes('object') ? 'INVALID_FORMAT_OBJECT' : 'INVALID_FORMAT'
  }
  // The value that chooses a branch is none of the known ones; or it is no text.
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

/** Names every wrong field once, with the first thing that is wrong with it. */
export function validationFailure(found: ErrorObject[], part: string): Failure {
  const told = new Map<string, FieldError>()
  for (const error of found) {
    const field = fieldOf(error, part)
    if (!told.has(field)) told.set(field, { field, reason: reasonOf(error) })
  }
  return new Failure('VALIDATION_ERROR', { errors: [...told.values()].slice(0, most_told) })
}
