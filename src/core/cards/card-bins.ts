import { type CardBrand, cardBrandOf } from './card-number.ts'

type CardType = 'credit' | 'debit' | 'charge_card'
type CardCategory =
  | 'classic'
  | 'standard'
  | 'gold'
  | 'signature'
  | 'personal'
  | 'debit'
  | 'prepaid'
  | 'charge_card'

/** Facts about a card that follow from its first digits; null where they do not. */
export interface BinInfo {
  brand: CardBrand | 'unknown'
  card_type: CardType | null
  category: CardCategory | null
  issuer: string | null
  country: string | null
  sub_brand: 'none'
}

interface Bin {
  /** Only where it differs from the brand of its block. */
  readonly brand?: CardBrand
  readonly card_type: CardType
  readonly category: CardCategory
  readonly issuer: string
  readonly country: string
}

/**
 * The ranges of published test cards; a live connector asks its acquirer instead. The common ones are
 * Japanese credit cards, which every store accepts. For every store setting that refuses cards, one row
 * differs only in that property. Issuers are made up, except 491674, which clients of the API expect by
 * name.
 */
export const bins: Readonly<Record<string, Bin>> = {
  400000: { card_type: 'credit', category: 'classic', issuer: 'Test Bank 1', country: 'JP' },
  400002: { card_type: 'credit', category: 'classic', issuer: 'Test Bank 1', country: 'JP' },
  401288: { card_type: 'credit', category: 'classic', issuer: 'Test Bank 1', country: 'JP' },
  411111: { card_type: 'credit', category: 'classic', issuer: 'Test Bank 1', country: 'JP' },
  424242: { card_type: 'credit', category: 'gold', issuer: 'Test Bank 1', country: 'JP' },
  // `debit_enabled`: 4000056655665556
  400005: { card_type: 'debit', category: 'debit', issuer: 'Test Bank 2', country: 'JP' },
  // `prepaid_enabled`: 4000090000000003
  400009: { card_type: 'credit', category: 'prepaid', issuer: 'Test Bank 2', country: 'JP' },
  // `foreign_cards_allowed`: 4000080000000004, and 4916741415383284
  400008: { card_type: 'credit', category: 'classic', issuer: 'Test Bank 3', country: 'US' },
  491674: {
    card_type: 'credit',
    category: 'signature',
    issuer: 'BANCO SANTANDER S.A.',
    country: 'BR',
  },
  222300: { card_type: 'credit', category: 'standard', issuer: 'Test Bank 4', country: 'JP' },
  510510: { card_type: 'credit', category: 'standard', issuer: 'Test Bank 4', country: 'JP' },
  555555: { card_type: 'credit', category: 'standard', issuer: 'Test Bank 4', country: 'JP' },
  // `debit_enabled` and `prepaid_enabled` together: 5200828282828210, and 4000050000000007, which lies
  // inside of the debit range above
  40000500: { card_type: 'debit', category: 'prepaid', issuer: 'Test Bank 2', country: 'JP' },
  520082: { card_type: 'debit', category: 'prepaid', issuer: 'Test Bank 4', country: 'JP' },
  353011: { card_type: 'credit', category: 'standard', issuer: 'Test Bank 5', country: 'JP' },
  356600: { card_type: 'credit', category: 'standard', issuer: 'Test Bank 5', country: 'JP' },
  378282: { card_type: 'credit', category: 'personal', issuer: 'Test Bank 6', country: 'JP' },
  371449: { card_type: 'credit', category: 'personal', issuer: 'Test Bank 6', country: 'JP' },
  305693: {
    card_type: 'charge_card',
    category: 'charge_card',
    issuer: 'Test Bank 7',
    country: 'JP',
  },
  601111: { card_type: 'credit', category: 'standard', issuer: 'Test Bank 8', country: 'JP' },
  620000: { card_type: 'credit', category: 'standard', issuer: 'Test Bank 9', country: 'JP' },
  // A private label of one chain of shops, carried by no network: 6900000000000008
  690000: {
    brand: 'private_label',
    card_type: 'credit',
    category: 'standard',
    issuer: 'Test Shop 1',
    country: 'JP',
  },
}

const longest = Math.max(...Object.keys(bins).map((prefix) => prefix.length))

function findBin(number: string): Bin | undefined {
  for (let length = longest; length > 0; length -= 1) {
    const prefix = number.slice(0, length)
    if (Object.hasOwn(bins, prefix)) return bins[prefix]
  }
  return undefined
}

/** The longest matching prefix wins: an issuer may use part of its range for other cards. */
export function lookUpBin(number: string): BinInfo {
  const bin = findBin(number)
  return {
    brand: bin?.brand ?? cardBrandOf(number),
    card_type: bin?.card_type ?? null,
    category: bin?.category ?? null,
    issuer: bin?.issuer ?? null,
    country: bin?.country ?? null,
    sub_brand: 'none',
  }
}
