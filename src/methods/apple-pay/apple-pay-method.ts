import Type, { type Static } from 'typebox'
import { described, named } from '../../core/api/described-schemas.ts'
import { Label, nullable } from '../../core/api/schemas.ts'
import { sensitive } from '../../core/cards/sensitive.ts'
import type { CardTokenData, KnownCardData } from '../../store/tables/payments/token-data.ts'
import { by_cardholder, card_method, refuseCard, sealedCard } from '../card/card-method.ts'
import { card_shown } from '../card/card-shown.ts'
import { openCard, openNumber } from '../card/open-card.ts'
import { type ReadCard, readCard } from '../card/read-card.ts'
import type { PaymentMethod, TokenWith } from '../contract/payment-method.ts'
import { billing_fields } from '../pieces/input-pieces.ts'
import { readWalletToken } from './apple-pay-token.ts'

const ApplePayInput = named(
  'ApplePayInput',
  Type.Object({
    applepay_token: described(
      Type.String({ minLength: 1, maxLength: 20_000 }),
      'The payment token from Apple Pay, as JSON or in base64. Live mode passes it on to the acquirer, ' +
        'encrypted as it is; test mode accepts any text.',
    ),
    cardholder: described(Label(), 'The name of the customer.'),
    ...billing_fields,
  }),
  'Payment by Apple Pay.',
)
type ApplePayInput = Static<typeof ApplePayInput>

/** Only the acquirer opens a token of live mode, so less is known of its card. */
const WalletCard = named(
  'WalletCard',
  Type.Object({
    ...card_shown.card.properties,
    exp_month: described(
      nullable(Type.Integer()),
      'The month in which the card expires; null in live mode.',
    ),
    exp_year: described(
      nullable(Type.Integer()),
      'The year in which the card expires; null in live mode.',
    ),
    card_bin: described(
      nullable(Type.String()),
      'The first digits of the number; null in live mode.',
    ),
    last_four: described(
      nullable(Type.String()),
      'The last four digits of the number; null where the wallet does not name them.',
    ),
  }),
  'The public fields of a card in a wallet.',
)

/** The wallet holds a card, and the token is one of that card. */
export const apple_pay_method = {
  ...card_method,
  input: ApplePayInput,
  shown: { ...card_shown, card: described(WalletCard, 'The card.') },
  // The number of a card is for browsers alone; a token of a wallet says nothing to its reader.
  admit: () => undefined,
  read: (input, { service, mode }) =>
    mode === 'live' ? readWalletToken(input) : sealedCard(readApplePay(input, service.clock.now())),
  accept: ({ data }, caller, rules) => refuseCard(data, caller, rules),
  payer: ({ card }) => ({ name: card.cardholder, brand: card.brand }),
  phone: ({ billing }) => billing.phone_number,
  instrument: (service, token) => {
    const { data, mode } = token
    if (mode === 'test') return openCard(service, token as TokenWith<CardTokenData>)
    const opened = openNumber(service, token)
    if (opened === null || opened === 'broken') return opened
    const { cardholder, brand } = data.card
    return { kind: 'apple_pay', brand, token: sensitive(opened), cardholder }
  },
  sent_as: { instrument: 'apple_pay', with_brand: false },
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
} satisfies PaymentMethod<ApplePayInput, KnownCardData>

/** The cards that a simulated wallet holds: one that works, one that is declined. */
const wallet_card = '4000020000000000'
const declined_wallet_card = '4000000000000002'

/**
 * In test mode a wallet's token stands for a card of ours; one that contains `declined` stands for
 * a card that is declined. A live connector opens real ones.
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
