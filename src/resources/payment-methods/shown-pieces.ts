import Type from 'typebox'
import { nullable } from '../../core/schemas.ts'

/** Pieces that tokens and charges show. */
export const ShownText = nullable(Type.String())
export const ShownPhone = Type.Object({ country_code: Type.Integer(), local_number: Type.String() })
export const ChargeErrorView = nullable(
  Type.Object({ code: Type.Integer(), message: Type.String(), detail: nullable(Type.String()) }),
)
