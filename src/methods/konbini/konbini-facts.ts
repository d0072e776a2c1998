import { day_ms, minute_ms } from '../../core/time/time-units.ts'
import { type BrandFacts, type MethodFacts, store } from '../contract/payment-facts.ts'

export interface Chain extends BrandFacts {
  /** Whether its stores support the time of day of an expiry, and not only the day. */
  readonly to_the_minute: boolean
}

const to_the_minute = { to_the_minute: true } as const
const to_the_day = { to_the_minute: false } as const

export const konbini_chains = {
  seven_eleven: { ...store('7-Eleven', '7', 'セブン-イレブン'), ...to_the_day },
  family_mart: { ...store('FamilyMart', 'FM', 'ファミリーマート'), ...to_the_minute },
  lawson: { ...store('Lawson', 'L', 'ローソン'), ...to_the_minute },
  mini_stop: { ...store('Ministop', 'MS', 'ミニストップ'), ...to_the_minute },
  seico_mart: { ...store('Seicomart', 'SM', 'セイコーマート'), ...to_the_day },
  pay_easy: {
    ...{ en: 'Pay-easy', ja: 'ペイジー（Pay-easy）', mark: 'machine', letters: 'PE' },
    ...to_the_day,
  },
  circle_k: { ...store('Circle K', 'K', 'サークルK'), ...to_the_day, closed: true },
  sunkus: { ...store('Sunkus', 'S', 'サンクス'), ...to_the_day, closed: true },
  daily_yamazaki: { ...store('Daily Yamazaki', 'DY', 'デイリーヤマザキ'), ...to_the_minute },
  yamazaki_daily_store: {
    ...store('Yamazaki Daily Store', 'YD', 'ヤマザキデイリーストアー'),
    ...to_the_minute,
  },
} as const satisfies Record<string, Chain>
export type KonbiniChain = keyof typeof konbini_chains

export const konbini_names = Object.keys(konbini_chains) as [KonbiniChain, ...KonbiniChain[]]

export const konbini_facts = {
  name: { en: 'Convenience store', ja: 'コンビニ' },
  customer_name: { en: 'Convenience store', ja: 'コンビニ払い' },
  by_card: false,
  repeatable: true,
  email: 'required',
  holds: false,
  refundable: false,
  deposit: { min_ms: 30 * minute_ms, max_ms: 30 * day_ms, default_ms: 30 * day_ms },
  on_pages: 'always',
  brands: konbini_chains,
} as const satisfies MethodFacts
