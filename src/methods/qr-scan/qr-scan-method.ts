import Type, { type Static } from 'typebox'
import { described, named } from '../../core/api/described-schemas.ts'
import { fail } from '../../core/api/errors.ts'
import { Label } from '../../core/api/schemas.ts'
import { texts } from '../../core/api/setting-values.ts'
import { sensitive } from '../../core/cards/sensitive.ts'
import { typedDigits } from '../../core/typed/typed-digits.ts'
import { openNumber } from '../card/open-card.ts'
import type { FormField } from '../contract/checkout-form.ts'
import { nothing_sealed, type PaymentMethod, settingsOf } from '../contract/payment-method.ts'
import { ShownText as text } from '../pieces/shown-pieces.ts'
import { decideWallet } from '../pieces/simulate-wallet.ts'
import { qrScanBrand } from './qr-scan-facts.ts'
import { qr_scan_scenarios } from './qr-scan-scenarios.ts'

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

interface QrScanData {
  brand: string | null
  gateway: string | null
}

const scanned_qr_field: FormField = {
  id: 'scanned_qr',
  asks: ['data.scanned_qr'],
  texts: {
    en: {
      label: 'Number below the code',
      missing: 'Enter the number below the code in your app.',
      wrong: 'No wallet has such a number.',
    },
    ja: {
      label: 'コードの下の番号',
      missing: 'アプリに表示されているコードの下の番号を入力してください。',
      wrong: 'この番号の決済アプリは見つかりません。',
    },
  },
  inputmode: 'numeric',
  mends: 'wrong_code',
}

/** The shop scans a code that the customer's wallet shows. */
export const qr_scan_method = {
  input: QrScanInput,
  shown: {
    brand: described(text, 'The wallet, by the beginning of the code; null where it is not known.'),
    gateway: described(text, 'The same as `brand`.'),
  },
  settings: settingsOf(
    'qr_scan',
    'QrScanConfiguration',
    {
      about: 'QR codes of customers.',
      accepted: 'Whether QR codes of customers are accepted.',
    },
    { forbidden_qr_scan_gateways: texts('Wallets that are refused.') },
    { forbidden_qr_scan_gateways: [] },
  ),
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
  sent_as: { instrument: 'wallet', with_brand: true },
  period: () => null,
  offer: (brand) => ({ qr_brand: brand }),
  simulate: decideWallet,
  scenarios: qr_scan_scenarios,
  customer_fields: ['scanned_qr'],
  form: { kind: 'fields', fields: [scanned_qr_field] },
} satisfies PaymentMethod<Static<typeof QrScanInput>, QrScanData>

/** Apps show the digits of a barcode in groups. Other codes are texts, in which every character counts. */
function readCode(text: string): string {
  return /^[\d\s-]+$/.test(text) ? text.replaceAll(/[\s-]/g, '') : text
}
