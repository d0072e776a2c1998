import Type from 'typebox'
import { named } from '../../core/described-schemas.ts'
import { nullable } from '../../core/schemas.ts'

/** Pieces that tokens and charges show. */
export const ShownText = nullable(Type.String())
export const ShownPhone = named(
  'Phone',
  Type.Object({ country_code: Type.Integer(), local_number: Type.String() }),
)
export const ChargeErrorView = nullable(
  named(
    'PaymentError',
    Type.Object({ code: Type.Integer(), message: Type.String(), detail: nullable(Type.String()) }),
  ),
)
