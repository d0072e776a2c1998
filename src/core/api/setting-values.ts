import Type, { type TProperties } from 'typebox'
import { described, named } from './described-schemas.ts'
import { nullable } from './schemas.ts'

/** The kinds of values that settings have. Every one can be null: it is not set. */

export const flag = (description: string) => nullable(Type.Boolean({ description }))
export const duration = (description: string) =>
  nullable(
    Type.String({ format: 'duration', description: `${description} As an ISO-8601 duration.` }),
  )
export const count = (description: string) =>
  nullable(Type.Integer({ minimum: 0, maximum: 1_000_000, description }))
export const percent = (description: string) =>
  nullable(Type.Number({ minimum: 0, maximum: 100, description }))
export const text = (description: string) =>
  nullable(Type.String({ minLength: 1, maxLength: 255, description }))
export const texts = (description: string) =>
  nullable(Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 300, description }))
export const money_amount = Type.Integer({
  minimum: 0,
  maximum: 999_999_999_999,
  description: 'The amount in the smallest unit of the currency.',
})
export const currency = Type.String({
  format: 'currency',
  description: 'The currency, as an ISO-4217 code.',
})
const money = named(
  'Money',
  Type.Object({ amount: money_amount, currency }),
  'An amount with its currency.',
)
export const oneAmount = (description: string) => described(nullable(money), description)
export const amounts = (description: string) =>
  nullable(Type.Array(money, { maxItems: 200, description }))

/** Settings that belong together. A null for the whole of it resets all of them. */
export function group<Fields extends TProperties>(
  title: string,
  fields: Fields,
  description: string,
) {
  return described(named(title, Type.Object(fields), description), description)
}

export const without_effect = 'Stored, no effect yet.'
export const unused = () => flag(without_effect)
