import Type from 'typebox'
import { described, named, textOf } from '../core/api/described-schemas.ts'
import { reasons } from '../core/api/errors.ts'

/** A fault of one field of a request. */
export const FieldErrorBody = named(
  'FieldError',
  Type.Object({
    field: described(
      Type.String({ examples: ['data.card_number'] }),
      'The name of the field in dotted form, such as `data.card_number`.',
    ),
    reason: described(textOf('Reason', Object.keys(reasons), 'A fault of a field.'), 'The fault.'),
  }),
  'The fault of one field of a request.',
)
