import type { Texts } from './payment-facts.ts'

/** How the console shows a setting: a switch can be changed there, all others are read. */
export interface SettingFacts extends Texts {
  readonly kind: 'switch' | 'shown'
  /** What its values are called, where they are names. */
  readonly values?: Readonly<Record<string, Texts>>
}

/** The settings of stores about a payment method, by their keys in its group. */
export interface SettingWords {
  readonly group: string
  readonly fields: Readonly<Record<string, SettingFacts>>
}

export const accepts = (en: string, ja: string): SettingFacts => ({ kind: 'switch', en, ja })
export const shown = (en: string, ja: string): SettingFacts => ({ kind: 'shown', en, ja })
