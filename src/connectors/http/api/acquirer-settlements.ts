import Type from 'typebox'
import { described, named } from '../../../core/api/described-schemas.ts'
import { nullable } from '../../../core/api/schemas.ts'
import { max_amount } from '../../../core/money/money.ts'
import { settlement_kinds } from '../../../core/payments/settlements.ts'
import { closed, Text } from './acquirer-responses.ts'

/** The requests for settlements: page by page, of all merchants of the key. */
export const SettlementsRequest = named(
  'SettlementsRequest',
  Type.Object({
    since: Type.String({
      format: 'date-time',
      description: 'Lines that you booked then or later.',
    }),
    after: described(nullable(Type.String({ maxLength: 255 })), 'The `next` of the page before.'),
  }),
)

const kinds = Object.entries(settlement_kinds)
const positive = kinds.filter(([, sign]) => sign > 0).map(([kind]) => `\`${kind}\``)

export const max_lines = 1000
export const SettlementsResponse = named(
  'Settlements',
  Type.Object(
    {
      lines: Type.Array(
        Type.Object(
          {
            line_id: Text(255, 'Your name of this line, which no other line has.'),
            kind: Type.Enum(Object.keys(settlement_kinds), { description: 'What it is about.' }),
            reference: Text(
              255,
              'The `reference` of the operation, or your `provider_reference` of it. A payment may be ' +
                'named by its authorization or by its capture.',
            ),
            amount: Type.Integer({
              minimum: -max_amount,
              maximum: max_amount,
              description: `Before fees. Positive for ${positive.join(', ')}, negative for the others.`,
            }),
            fee_amount: described(
              nullable(Type.Integer({ minimum: -max_amount, maximum: max_amount })),
              'Your fee for this line, if you charge fees by line.',
            ),
            currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' }),
            booked_on: Type.String({ format: 'date-time', description: 'When you booked it.' }),
          },
          closed,
        ),
        { maxItems: max_lines, description: 'In the order in which you booked them.' },
      ),
      next: described(
        nullable(Text(255, 'The cursor of the next page.')),
        'The cursor of the next page; null on the last page.',
      ),
    },
    closed,
  ),
)
