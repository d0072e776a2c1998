import { namesOf } from '../table-names.ts'

interface Brand {
  /** First digits that belong to the brand: one prefix, or the first and last of a range. */
  readonly prefixes: readonly (string | readonly [first: string, last: string])[]
  readonly lengths: readonly number[]
  readonly cvv_length: 3 | 4
}

/**
 * The number formats of each brand. Where two brands claim a number, the longer prefix wins: that is
 * how single issuers sit inside the blocks of others, and why Maestro may claim all of 6. A private
 * label has no block of its own; only the table of issuers identifies it.
 */
const brands = {
  visa: { prefixes: ['4'], lengths: [13, 16, 18, 19], cvv_length: 3 },
  mastercard: {
    prefixes: [
      ['51', '55'],
      ['2221', '2720'],
    ],
    lengths: [16],
    cvv_length: 3,
  },
  maestro: {
    prefixes: ['493698', '50', ['56', '59'], '6'],
    lengths: [12, 13, 14, 15, 16, 17, 18, 19],
    cvv_length: 3,
  },
  american_express: { prefixes: ['34', '37'], lengths: [15], cvv_length: 4 },
  diners_club: {
    prefixes: [['300', '305'], '309', '36', '38', '39'],
    lengths: [14, 15, 16, 17, 18, 19],
    cvv_length: 3,
  },
  discover: {
    prefixes: ['6011', ['644', '649'], '65'],
    lengths: [16, 17, 18, 19],
    cvv_length: 3,
  },
  jcb: {
    prefixes: ['1800', '2131', ['3528', '3589']],
    lengths: [15, 16, 17, 18, 19],
    cvv_length: 3,
  },
  unionpay: { prefixes: ['62', '81'], lengths: [14, 15, 16, 17, 18, 19], cvv_length: 3 },
  private_label: { prefixes: [], lengths: [12, 13, 14, 15, 16, 17, 18, 19], cvv_length: 3 },
} as const satisfies Record<string, Brand>

export type CardBrand = keyof typeof brands
export const card_brands = namesOf(brands)

/** A number of an unknown brand may have any length that ISO 7812 allows. */
const unknown_brand: Brand = {
  prefixes: [],
  lengths: [12, 13, 14, 15, 16, 17, 18, 19],
  cvv_length: 3,
}

/** Prefix ranges, longest first, so that the first match is the most specific. */
const runs = card_brands
  .flatMap((brand) =>
    traits(brand).prefixes.map((prefix) => {
      const [first, last] = typeof prefix === 'string' ? [prefix, prefix] : prefix
      return { brand, first, last }
    }),
  )
  .sort((one, other) => other.first.length - one.first.length)

function traits(brand: CardBrand | 'unknown'): Brand {
  return brand === 'unknown' ? unknown_brand : brands[brand]
}

/** The check digit of ISO 7812. Anything but digits fails. */
export function passesLuhn(digits: string): boolean {
  let sum = 0
  let doubled = false
  for (let at = digits.length - 1; at >= 0; at -= 1) {
    const digit = digits.charCodeAt(at) - 48
    if (digit < 0 || digit > 9) return false
    sum += doubled ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit
    doubled = !doubled
  }
  return digits.length > 0 && sum % 10 === 0
}

/** The brand by the first digits; neither the length nor the check digit is checked. */
export function cardBrandOf(number: string): CardBrand | 'unknown' {
  const run = runs.find(({ first, last }) => {
    const start = number.slice(0, first.length)
    return start.length === first.length && start >= first && start <= last
  })
  return run !== undefined && /^\d+$/.test(number) ? run.brand : 'unknown'
}

export function cardLengths(brand: CardBrand | 'unknown'): readonly number[] {
  return traits(brand).lengths
}

export function isCardLength(brand: CardBrand | 'unknown', length: number): boolean {
  return cardLengths(brand).includes(length)
}

/** Digits of the security code printed on a card of this brand. */
export function cvvLength(brand: CardBrand | 'unknown'): 3 | 4 {
  return traits(brand).cvv_length
}
