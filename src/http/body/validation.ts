import { Ajv, type ValidateFunction } from 'ajv'
import fastJsonStringify, { type Schema } from 'fast-json-stringify'
import { formats } from '../../core/typed/formats.ts'
import { newDigitsReader } from '../../core/typed/typed-digits.ts'
import { newIntegerCheck } from './plain-integers.ts'

function newAjv(coerceTypes: boolean): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    allowUnionTypes: true,
    coerceTypes,
    discriminator: true,
    strict: true,
    strictRequired: false,
    // Read from text, `1e400` is infinite; as a number it is compared with its maximum, as none it
    // would not be.
    strictNumbers: !coerceTypes,
    strictTypes: false,
    useDefaults: true,
    // A fault includes the schema around it, which says what is allowed.
    verbose: true,
  })
  for (const [name, { accepts }] of Object.entries(formats)) ajv.addFormat(name, accepts)
  return ajv
}

/** Everything in a URL is text, so numbers and booleans are converted; bodies are exact. */
const exact = newAjv(false)
const reading = newAjv(true)

/** Compiled at the first call of its route: at the start it would take a second for all of them. */
export function validatorCompiler({ schema, httpPart }: { schema: object; httpPart?: string }) {
  const ajv = httpPart === 'body' ? exact : reading
  const checkIntegers = httpPart === 'body' ? null : newIntegerCheck(schema)
  const readDigits = newDigitsReader(schema)
  let compiled: ValidateFunction | null = null
  const validate = (value: unknown): boolean => {
    compiled ??= ajv.compile(schema)
    checkIntegers?.(value)
    readDigits?.(value)
    const is_valid = compiled(value)
    validate.errors = compiled.errors
    return is_valid
  }
  validate.errors = null as ValidateFunction['errors']
  return validate
}

/** Serializes responses by their schema; compiled at the first one. */
export function serializerCompiler({ schema }: { schema: object }) {
  let write: ((value: unknown) => string) | null = null
  return (value: unknown): string => {
    write ??= fastJsonStringify(schema as Schema)
    return write(value)
  }
}
