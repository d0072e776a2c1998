export interface CardTokenData {
  card: CardData
  billing: BillingData
}

export interface CardData {
  cardholder: string
  exp_month: number
  exp_year: number
  card_bin: string
  last_four: string
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
