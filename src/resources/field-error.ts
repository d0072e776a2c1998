import Type from 'typebox'
import { named, textOf } from '../core/described-schemas.ts'
import { reasons } from '../core/errors.ts'

/** What is wrong with one field of a request. */
export const FieldErrorBody = named(
  'FieldError',
  Type.Object({
    field: Type.String({ examples: ['data.card_number'] }),
    reason: textOf('Reason', Object.keys(reasons)),
  }),
)
