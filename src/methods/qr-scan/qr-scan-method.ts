import Type, { type Static } from 'typebox'
import { described, named } from '../../core/api/described-schemas.ts'
import { fail } from '../../core/api/errors.ts'
import { Label } from '../../core/api/schemas.ts'
import { sensitive } from '../../core/cards/sensitive.ts'
import { qr_scan_prefixes, qrScanBrand } from '../../core/payments/payment-methods.ts'
import { typedDigits } from '../../core/typed/typed-digits.ts'
import type { QrScanData } from '../../store/tables/token-data.ts'
import { openNumber } from '../card/open-card.ts'
import { nothing_sealed, type PaymentMethod } from '../payment-method.ts'
import { ShownText as text } from '../shown-pieces.ts'

const QrScanInput = named(
  'QrScanInput',
  Type.Object({
    scanned_qr: described(
      typedDigits(Label(512)),
      'The text of the code that the wallet of the customer displays.',
    ),
  }),
  'Payment with a QR code or barcode of the customer.',
)

/** The shop scans a code that the customer's wallet shows. */
export const qr_scan_method: PaymentMethod<Static<typeof QrScanInput>, QrScanData> = {
  input: QrScanInput,
  shown: {
    brand: described(text, 'The wallet, by the beginning of the code; null where it is not known.'),
    gateway: described(text, 'The same as `brand`.'),
  },
  brands: [...new Set(Object.values(qr_scan_prefixes))],
  configuration: 'qr_scan',
  disabled: 'QR_PROCESSING_DISABLED',
  read: ({ scanned_qr }) => {
    const code = readCode(scanned_qr)
    const brand = qrScanBrand(code)
    return { ...nothing_sealed, data: { brand, gateway: brand }, number: sensitive(code) }
  },
  accept: ({ data }, _, { forbidden_qr_scan_gateways }) => {
    if (data.brand !== null && forbidden_qr_scan_gateways.includes(data.brand)) {
      fail('INVALID_QR_SCAN_GATEWAY')
    }
  },
  payer: ({ brand }) => ({ name: null, brand }),
  phone: () => null,
  instrument: (service, token) => {
    const code = openNumber(service, token)
    if (code === null || code === 'broken') return code
    return { kind: 'wallet', brand: token.data.brand, code: sensitive(code) }
  },
  period: () => null,
}

/** Apps show the digits of a barcode in groups. Other codes are texts, in which every character counts. */
function readCode(text: string): string {
  return /^[\d\s-]+$/.test(text) ? text.replaceAll(/[\s-]/g, '') : text
}
