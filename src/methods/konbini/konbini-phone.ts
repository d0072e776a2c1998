import type { Config } from '../../config.ts'
import type { Reason } from '../../core/api/errors.ts'
import {
  isJapaneseCode,
  isJapanesePhone,
  type Phone,
  readLongPhone,
  readPhone,
} from '../../core/typed/phone.ts'

/** The phone number of a customer, or why it is refused. Public client libraries send longer ones. */
export function readKonbiniPhone(
  { compatibility }: Pick<Config, 'compatibility'>,
  country_code: string | number,
  local_number: string,
): Phone | Reason {
  if (compatibility === 'clients') {
    if (!isJapaneseCode(country_code)) return 'ONLY_JAPANESE_PHONE_NUMBER_ALLOWED'
    return readLongPhone(local_number) ?? 'INVALID_PHONE_NUMBER'
  }
  const phone = readPhone(country_code, local_number)
  if (!phone) return 'INVALID_PHONE_NUMBER'
  const is_japanese = isJapanesePhone(country_code, local_number)
  return is_japanese ? phone : 'ONLY_JAPANESE_PHONE_NUMBER_ALLOWED'
}
