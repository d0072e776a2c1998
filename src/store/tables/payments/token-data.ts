export interface CardTokenData {
  card: CardData
  billing: BillingData
}

/** A card, or what a wallet says of one: only the acquirer opens it. */
export interface KnownCardData {
  card: KnownCard
  billing: BillingData
}

export interface CardData extends KnownCard {
  exp_month: number
  exp_year: number
  card_bin: string
  last_four: string
}

export interface KnownCard {
  cardholder: string
  exp_month: number | null
  exp_year: number | null
  card_bin: string | null
  last_four: string | null
  brand: string
  card_type: string | null
  country: string | null
  category: string | null
  issuer: string | null
  sub_brand: string
}

export interface PhoneData {
  country_code: number
  local_number: string
}

export interface BillingData {
  line1: string | null
  line2: string | null
  state: string | null
  city: string | null
  country: string | null
  zip: string | null
  phone_number: PhoneData | null
}
