import { useBrandName } from '../../words/brand-words.ts'
import { formatMoney, formatNumber, formatPeriod, joinList } from '../../words/format-values.ts'
import { useLanguage, useWords } from '../../words/language.tsx'
import { settings_words } from './settings-words.ts'
import { choicesOf, store_settings_words } from './store-settings-words.ts'

type Amount = { amount: number; currency: string; duration?: string }

const isAmount = (value: object): value is Amount => 'amount' in value && 'currency' in value

const percents = /percent_(fee|limit)/

/** Writes the value of a setting for people: amounts, times, brands and choices in words. */
export function useSettingText(): (path: string, value: unknown) => string {
  const words = useWords(settings_words)
  const { values, per } = useWords(store_settings_words)
  const { language } = useLanguage()
  const brandName = useBrandName()
  const amountText = ({ amount, currency, duration }: Amount) => {
    const money = formatMoney(amount, currency)
    return duration ? per(money, formatPeriod(duration, language)) : money
  }
  const textOf = (path: string, value: unknown): string => {
    if (value === null || value === undefined) return words.not_set
    if (typeof value === 'boolean') return value ? words.on : words.off
    if (typeof value === 'number') {
      return formatNumber(value, language) + (percents.test(path) ? '%' : '')
    }
    if (Array.isArray(value)) {
      return value.length === 0
        ? '–'
        : joinList(
            value.map((one) => textOf(path, one)),
            language,
          )
    }
    if (typeof value === 'object') return isAmount(value) ? amountText(value) : ''
    const text = String(value)
    if (/^P[T\d]/.test(text)) return formatPeriod(text, language)
    const choices = choicesOf(path, values, language)
    return choices?.[text] ?? (path.includes('forbidden') ? brandName(text) : text)
  }
  return textOf
}
