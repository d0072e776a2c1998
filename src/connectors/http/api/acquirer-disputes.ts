import Type from 'typebox'
import { described, named } from '../../../core/api/described-schemas.ts'
import { max_amount } from '../../../core/money/money.ts'
import {
  dispute_limits,
  dispute_reasons,
  evidence_texts,
  file_types,
} from '../../../core/payments/disputes.ts'
import { statesOf } from '../../../core/payments/states.ts'
import { operation, owner, taken } from './acquirer-requests.ts'
import { closed, Text } from './acquirer-responses.ts'

/** The requests about the disputes of a payment. */
export const DisputesRequest = named('DisputesRequest', Type.Object({ ...owner, ...taken }))

const File = Type.Object({
  name: Text(dispute_limits.file_name_length, 'The name of the file.'),
  content_type: Type.Enum(Object.keys(file_types), { description: 'The kind.' }),
  content: Type.String({ description: 'Its bytes as Base64.' }),
})
const evidence = Object.fromEntries(
  Object.entries(evidence_texts).map(([name, text]) => [
    name,
    Type.Optional(Type.String({ maxLength: dispute_limits.text_length, description: text })),
  ]),
)

export const RespondToDisputeRequest = named(
  'RespondToDisputeRequest',
  Type.Object({
    ...operation,
    ...taken,
    dispute_reference: Text(255, 'How you named the dispute.'),
    response: Type.Enum(['evidence', 'acceptance'], {
      description: '`evidence`: send it to the bank. `acceptance`: the customer keeps the money.',
    }),
    evidence: described(Type.Object(evidence), 'Texts of the merchant.'),
    files: Type.Array(File, {
      maxItems: dispute_limits.file_count,
      description: 'The files of the evidence.',
    }),
  }),
)

export const max_disputes = 100
export const DisputesResponse = named(
  'Disputes',
  Type.Object(
    {
      disputes: Type.Array(
        Type.Object(
          {
            reference: Text(255, 'Your name of this dispute, which never changes.'),
            status: Type.Enum(statesOf('dispute'), { description: 'How it stands.' }),
            reason: Type.Enum([...dispute_reasons], { description: 'Why the customer disputes.' }),
            amount: Type.Integer({
              minimum: 1,
              maximum: max_amount,
              description: 'The withdrawn amount.',
            }),
            fee_amount: Type.Integer({
              minimum: 0,
              maximum: max_amount,
              description: 'The fee for the dispute; it is not returned when the merchant wins.',
            }),
            currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' }),
            respond_by: Type.String({
              format: 'date-time',
              description: 'The deadline for a response.',
            }),
          },
          closed,
        ),
        { maxItems: max_disputes, description: 'Every dispute of the payment, ended ones too.' },
      ),
    },
    closed,
  ),
)
