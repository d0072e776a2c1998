import Type, { type Static } from 'typebox'
import { described, named } from '../../core/api/described-schemas.ts'
import { failField, oneOf } from '../../core/api/errors.ts'
import { page_life_ms, qr_merchant_brands, readName } from '../../core/payments/payment-methods.ts'
import type { QrMerchantData } from '../../store/tables/token-data.ts'
import { NameOf } from '../input-pieces.ts'
import { nothing_sealed, type PaymentMethod } from '../payment-method.ts'
import { ShownText as text } from '../shown-pieces.ts'

const brands = Object.keys(qr_merchant_brands)
const QrMerchantInput = named(
  'QrMerchantInput',
  Type.Object({ brand: NameOf(brands, 'The wallet. ') }),
  'Payment with a QR code that you display.',
)

/** The customer scans a code that the shop shows. */
export const qr_merchant_method: PaymentMethod<Static<typeof QrMerchantInput>, QrMerchantData> = {
  input: QrMerchantInput,
  shown: {
    brand: described(text, 'The wallet.'),
    qr_image_url: described(
      text,
      'The URL of the QR code as a picture; null until a charge waits for the customer.',
    ),
  },
  brands,
  configuration: 'qr_merchant',
  disabled: 'QR_PROCESSING_DISABLED',
  read: (input) => {
    const brand = readName(input.brand, brands)
    if (brand === null) failField('data.brand', 'NOT_ALLOWED_VALUE', oneOf(brands))
    return { ...nothing_sealed, data: { brand, qr_image_url: null } }
  },
  payer: ({ brand }) => ({ name: null, brand }),
  phone: () => null,
  instrument: (_, { data }) => ({ kind: 'qr', brand: data.brand }),
  period: () => ({ kind: 'page', life_ms: page_life_ms.qr }),
}
