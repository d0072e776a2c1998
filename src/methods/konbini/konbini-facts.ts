import { day_ms, minute_ms } from '../../core/time/time-units.ts'
import { type BrandFacts, type MethodFacts, store } from '../contract/payment-facts.ts'

export interface Chain extends BrandFacts {
  /** Whether its stores support an expiry at a time of day, and not only on a day. */
  readonly to_the_minute: boolean
}

const seven = store('7-Eleven', { ja: 'セブン-イレブン', color: '#00703c', line: '#f58220' })
const family = store('FamilyMart', { ja: 'ファミリーマート', color: '#00738c', line: '#00a040' })
const mini = store('Ministop', { ja: 'ミニストップ', color: '#1b4f9c', line: '#ffcc00' })
const seico = store('Seicomart', { ja: 'セイコーマート', color: '#c4410a' })

const to_the_minute = { to_the_minute: true } as const
const to_the_day = { to_the_minute: false } as const

export const konbini_chains = {
  seven_eleven: { ...seven, ...to_the_day },
  family_mart: { ...family, ...to_the_minute },
  lawson: { ...store('Lawson', { ja: 'ローソン', color: '#0068b7' }), ...to_the_minute },
  mini_stop: { ...mini, ...to_the_minute },
  seico_mart: { ...seico, ...to_the_day },
  pay_easy: {
    ...{
      en: 'Pay-easy',
      ja: 'ペイジー（Pay-easy）',
      mark: 'machine',
      word: 'Pay-easy',
      color: '#00539f',
    },
    ...to_the_day,
  },
  circle_k: { ...store('Circle K', { ja: 'サークルK' }), ...to_the_day, closed: true },
  sunkus: { ...store('Sunkus', { ja: 'サンクス' }), ...to_the_day, closed: true },
  daily_yamazaki: {
    ...store('Daily Yamazaki', { ja: 'デイリーヤマザキ', color: '#c8102e' }),
    ...to_the_minute,
  },
  yamazaki_daily_store: {
    ...store('Yamazaki Daily Store', {
      ja: 'ヤマザキデイリーストアー',
      word: 'Yamazaki',
      color: '#c8102e',
    }),
    ...to_the_minute,
  },
} as const satisfies Record<string, Chain>
export type KonbiniChain = keyof typeof konbini_chains

export const konbini_names = Object.keys(konbini_chains) as [KonbiniChain, ...KonbiniChain[]]

export const konbini_facts = {
  name: { en: 'Convenience store', ja: 'コンビニ' },
  customer_name: { en: 'Convenience store', ja: 'コンビニ' },
  by_card: false,
  repeatable: true,
  email: 'required',
  holds: false,
  refundable: false,
  deposit: { min_ms: 30 * minute_ms, max_ms: 30 * day_ms, default_ms: 30 * day_ms },
  on_pages: 'always',
  brands: konbini_chains,
} as const satisfies MethodFacts
