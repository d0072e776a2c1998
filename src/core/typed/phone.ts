import {
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min'

export interface Phone {
  country_code: number
  local_number: string
}

/** Codes of ITU services that belong to no country: freephone, satellites, networks, premium. */
const worldwide_codes = [800, 808, 870, 878, 881, 882, 883, 888, 979]

const country_codes: ReadonlySet<number> = new Set([
  ...getCountries().map((country) => Number(getCountryCallingCode(country))),
  ...worldwide_codes,
])

const japan = 81
const separators = /[ ()-]/g

/**
 * Ten digits after the zero for mobile, internet and freephone numbers of the form 0X0, nine for
 * all others. The library lets a mobile number with a digit missing pass as a fixed line.
 */
const japanese_number = /^0?(?:[2-9]0\d{8}|[1-9][1-9]\d{7})$/

/**
 * A phone number as a form sends it, without spaces, hyphens and parentheses. Only the country code
 * must exist: the number of a cardholder is passed on, not dialled.
 */
export function readPhone(country_code: string | number, local_number: string): Phone | null {
  const code = /^\+?([1-9]\d{0,2})$/.exec(String(country_code))?.[1]
  const digits = local_number.replace(separators, '')
  if (code === undefined || !country_codes.has(Number(code))) return null
  if (!/^\d{1,14}$/.test(digits)) return null
  return { country_code: Number(code), local_number: digits }
}

/** Whether the numbering plan of the country allows the number, with or without trunk prefix. */
export function isValidPhone(country_code: string | number, local_number: string): boolean {
  const phone = readPhone(country_code, local_number)
  if (phone === null) return false
  const defaultCallingCode = String(phone.country_code)
  const parsed = parsePhoneNumberFromString(phone.local_number, {
    defaultCallingCode,
    extract: false,
  })
  return parsed?.isValid() ?? false
}

/**
 * A number as a person wrote it, as the digits that the stored number ends with: `+81 90-1234-5678` and
 * `090-1234-5678`. A `+` that was not escaped in a URL arrives as a space.
 */
export function phoneDigits(text: string): string {
  const digits = text.replace(/\D/g, '')
  if (!/^[+ ]/.test(text)) return digits.replace(/^0(?=\d)/, '')
  const parsed = parsePhoneNumberFromString(`+${digits}`)
  return parsed ? `${parsed.countryCallingCode}${parsed.nationalNumber}` : digits
}

/** Convenience stores print and ask for the number, so it must be a valid Japanese one. */
export function isJapanesePhone(country_code: string | number, local_number: string): boolean {
  const phone = readPhone(country_code, local_number)
  if (phone?.country_code !== japan || !japanese_number.test(phone.local_number)) return false
  return isValidPhone(japan, phone.local_number)
}

export function isJapaneseCode(country_code: string | number): boolean {
  return /^\+?81$/.test(String(country_code))
}

/** A Japanese number in any form: digits, up to the maximum length of an international number. */
export function readLongPhone(local_number: string): Phone | null {
  const digits = local_number.replace(separators, '')
  return /^\d{1,15}$/.test(digits) ? { country_code: japan, local_number: digits } : null
}
