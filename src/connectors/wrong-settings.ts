import type { Validator } from 'typebox/compile'
import { objectOf } from '../core/read-unknown.ts'

interface Named {
  readonly requiredProperties?: readonly string[]
  readonly additionalProperties?: readonly string[]
}

/** The settings that a schema refuses, in words without their values. */
export function wrongSettings(validator: Validator, settings: unknown): string {
  const fields = validator.Errors(settings).map(({ instancePath, params }) => {
    const { requiredProperties = [], additionalProperties = [] }: Named = objectOf(params)
    return instancePath.slice(1) || [...requiredProperties, ...additionalProperties].join(', ')
  })
  return `These settings are missing, unknown or malformed: ${[...new Set(fields)].join(', ')}.`
}
