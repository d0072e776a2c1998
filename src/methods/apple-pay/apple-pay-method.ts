import Type, { type Static } from 'typebox'
import type { Caller } from '../../core/access/caller.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { fail } from '../../core/api/errors.ts'
import { Label } from '../../core/api/schemas.ts'
import type { CardTokenData } from '../../store/tables/payments/token-data.ts'
import { by_cardholder, card_method, refuseCard, sealedCard } from '../card/card-method.ts'
import { type ReadCard, readCard } from '../card/read-card.ts'
import type { PaymentMethod } from '../contract/payment-method.ts'
import { billing_fields } from '../pieces/input-pieces.ts'

const ApplePayInput = named(
  'ApplePayInput',
  Type.Object({
    applepay_token: described(
      Type.String({ minLength: 1, maxLength: 20_000 }),
      'The payment token from Apple Pay, as JSON or in base64.',
    ),
    cardholder: described(Label(), 'The name of the customer.'),
    ...billing_fields,
  }),
  'Payment by Apple Pay.',
)
type ApplePayInput = Static<typeof ApplePayInput>

/** The wallet holds a card, and the token is one of that card. */
export const apple_pay_method = {
  ...card_method,
  input: ApplePayInput,
  admit: ({ mode }: Caller) => {
    if (mode === 'live') fail('NOT_SUPPORTED_BY_PROCESSOR')
  },
  read: (input, { service }) => sealedCard(readApplePay(input, service.clock.now())),
  accept: ({ data }, caller, rules) => refuseCard(data, caller, rules),
  // Live mode refuses such tokens, because nothing here decrypts them.
  sent_as: null,
  offer: () => ({}),
  customer_fields: ['applepay_token', ...by_cardholder],
  form: {
    kind: 'fields',
    fields: ['cardholder'],
    hidden: { applepay_token: 'test' },
    note: {
      en: 'Test mode: no wallet opens, and a test card is charged.',
      ja: 'テストモードではウォレットは開かず、テスト用のカードでお支払いになります。',
    },
    wallet: 'apple_pay',
  },
} satisfies PaymentMethod<ApplePayInput, CardTokenData>

/** The cards that a simulated wallet holds: one that works, one that is declined. */
const wallet_card = '4000020000000000'
const declined_wallet_card = '4000000000000002'

/**
 * In test mode a wallet's token represents a test card, and one that contains `declined` a declined
 * card. Live connectors decrypt real tokens.
 */
function readApplePay(input: ApplePayInput, now_ms: number): ReadCard {
  const declined = /declined/i.test(input.applepay_token)
  const year = new Date(now_ms).getUTCFullYear() + 3
  return readCard(
    {
      ...input,
      card_number: declined ? declined_wallet_card : wallet_card,
      exp_month: 12,
      exp_year: year,
    },
    now_ms,
  )
}
