import Type from 'typebox'
import { nullable } from '../../core/api/schemas.ts'
import { text } from '../../core/api/setting-values.ts'

const url = (description: string) => nullable(Type.String({ format: 'url', description }))

/** How customers reach a shop, and what it must tell them. */
export const shop_contacts = {
  contact_email: nullable(
    Type.String({ format: 'email', description: "The address for customers' questions." }),
  ),
  contact_phone: text('The number that customers call.'),
  contact_url: url('A page for questions of customers.'),
  commercial_disclosure_url: url(
    'The disclosure by the Act on Specified Commercial Transactions (特定商取引法に基づく表記).',
  ),
  privacy_url: url('The privacy policy.'),
  terms_url: url('The terms of sale.'),
}
