import Type, { type Static } from 'typebox'
import { described, named } from '../../core/api/described-schemas.ts'
import { failField, oneOf } from '../../core/api/errors.ts'
import { page_life_ms } from '../../core/limits/page-life.ts'
import { readName } from '../../core/typed/read-name.ts'
import { nothing_sealed, type PaymentMethod, settingsOf } from '../contract/payment-method.ts'
import { NameOf } from '../pieces/input-pieces.ts'
import { ShownText as text } from '../pieces/shown-pieces.ts'
import { qr_merchant_facts } from './qr-merchant-facts.ts'

const brands = Object.keys(qr_merchant_facts.brands)
const QrMerchantInput = named(
  'QrMerchantInput',
  Type.Object({ brand: NameOf(brands, 'The wallet. ') }),
  'Payment with a QR code that you display.',
)

interface QrMerchantData {
  brand: string
  /** Null until a charge waits for the customer. */
  qr_image_url: string | null
}

/** The customer scans a code that the shop shows. */
export const qr_merchant_method = {
  input: QrMerchantInput,
  shown: {
    brand: described(text, 'The wallet.'),
    qr_image_url: described(
      text,
      'The URL of the QR code as a picture; null until a charge waits for the customer.',
    ),
  },
  settings: settingsOf('qr_merchant', 'QrMerchantConfiguration', {
    about: 'QR codes that the shop displays.',
    accepted: 'Whether QR codes can be displayed.',
  }),
  disabled: 'QR_PROCESSING_DISABLED',
  read: (input) => {
    const brand = readName(input.brand, brands)
    if (brand === null) failField('data.brand', 'NOT_ALLOWED_VALUE', oneOf(brands))
    return { ...nothing_sealed, data: { brand, qr_image_url: null } }
  },
  payer: ({ brand }) => ({ name: null, brand }),
  phone: () => null,
  instrument: (_, { data }) => ({ kind: 'qr', brand: data.brand }),
  sent_as: { instrument: 'qr', with_brand: true },
  period: () => ({ kind: 'page', life_ms: page_life_ms.qr }),
  offer: (brand) => ({ qr_brand: brand }),
  // The code leads to the page of the simulated wallet.
  simulate: () => ({ outcome: 'waiting', instructions: { kind: 'qr', code: null } }),
  customer_fields: ['brand'],
  form: {
    kind: 'brands',
    title: (brand, language) =>
      language === 'ja' ? `${brand}（QRコード）` : `${brand} with a code`,
    button: (_, language) => (language === 'ja' ? 'QRコードを表示する' : 'Show the code'),
  },
} satisfies PaymentMethod<Static<typeof QrMerchantInput>, QrMerchantData>
