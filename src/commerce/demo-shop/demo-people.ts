import { derivedId } from '../../core/ids.ts'

/** Numbers that look random and are the same for the same seed. */
export interface Dice {
  /** At least 0 and below 1. */
  roll(): number
  between(min: number, max: number): number
  pick<T>(list: readonly T[]): T
}

/** The generator mulberry32: 32 bits of state suffice for names and amounts. */
export function newDice(seed: number): Dice {
  let state = seed >>> 0
  const roll = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (min: number, max: number) => min + Math.floor(roll() * (max - min + 1))
  return { roll, between, pick: (list) => list[between(0, list.length - 1)] as (typeof list)[0] }
}

export interface Person {
  readonly name: string
  readonly cardholder: string
  /** The name as banks write it. */
  readonly kana: string
  readonly email: string
  readonly customer_id: string
  readonly phone: string
  readonly card: { readonly number: string; readonly expires: number }
}

const families = [
  ['佐藤', 'Sato', 'サトウ'],
  ['鈴木', 'Suzuki', 'スズキ'],
  ['高橋', 'Takahashi', 'タカハシ'],
  ['田中', 'Tanaka', 'タナカ'],
  ['伊藤', 'Ito', 'イトウ'],
  ['渡辺', 'Watanabe', 'ワタナベ'],
  ['山本', 'Yamamoto', 'ヤマモト'],
  ['中村', 'Nakamura', 'ナカムラ'],
  ['小林', 'Kobayashi', 'コバヤシ'],
  ['加藤', 'Kato', 'カトウ'],
  ['吉田', 'Yoshida', 'ヨシダ'],
  ['佐々木', 'Sasaki', 'ササキ'],
  ['山口', 'Yamaguchi', 'ヤマグチ'],
  ['松本', 'Matsumoto', 'マツモト'],
  ['井上', 'Inoue', 'イノウエ'],
  ['木村', 'Kimura', 'キムラ'],
  ['清水', 'Shimizu', 'シミズ'],
  ['斎藤', 'Saito', 'サイトウ'],
] as const

const given_names = [
  ['花子', 'Hanako', 'ハナコ'],
  ['健二', 'Kenji', 'ケンジ'],
  ['由紀', 'Yuki', 'ユキ'],
  ['明', 'Akira', 'アキラ'],
  ['直美', 'Naomi', 'ナオミ'],
  ['蓮', 'Ren', 'レン'],
  ['葵', 'Aoi', 'アオイ'],
  ['陽菜', 'Hina', 'ヒナ'],
  ['翔太', 'Shota', 'ショウタ'],
  ['美咲', 'Misaki', 'ミサキ'],
  ['恵', 'Megumi', 'メグミ'],
  ['大輔', 'Daisuke', 'ダイスケ'],
] as const

/** How numbers of each card network begin, and how long they are. */
const networks = [
  ['45392', 16],
  ['49012', 16],
  ['52044', 16],
  ['54321', 16],
  ['35401', 16],
  ['35620', 16],
  ['37601', 15],
] as const

/** A number that no card has: with its check digit, and without a meaning in test mode. */
function cardNumber(dice: Dice): string {
  const [prefix, length] = dice.pick(networks)
  let number: string = prefix
  while (number.length < length - 1) number += dice.between(0, 9)
  const sum = [...number].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return `${number}${(10 - (sum % 10)) % 10}`
}

/** Invented customers, with addresses of a domain that never exists. */
export function inventPeople(dice: Dice, count: number, year: number): Person[] {
  return Array.from({ length: count }, (_, index) => {
    const [family, family_en, family_kana] = families[index % families.length] ?? families[0]
    const [given, given_en, given_kana] = dice.pick(given_names)
    const email = `${given_en}.${family_en}${index + 1}@mail.example`.toLowerCase()
    return {
      name: `${family} ${given}`,
      cardholder: `${given_en} ${family_en}`.toUpperCase(),
      kana: `${family_kana} ${given_kana}`,
      email,
      customer_id: derivedId(email, 'customer of the demo shop'),
      phone: `0901234${1000 + index}`,
      card: { number: cardNumber(dice), expires: year + dice.between(2, 5) },
    }
  })
}

export interface Product {
  readonly name: string
  readonly amount: number
}

export const products: readonly Product[] = [
  { name: '煎茶「若葉」100g', amount: 1296 },
  { name: '玉露「朝露」50g', amount: 2160 },
  { name: '抹茶「翠」30g', amount: 1944 },
  { name: 'ほうじ茶 200g', amount: 864 },
  { name: '急須（常滑焼）', amount: 6480 },
  { name: '茶筅', amount: 3850 },
  { name: '和菓子詰め合わせ', amount: 3240 },
  { name: '抹茶碗（萩焼）', amount: 13200 },
  { name: '新茶ギフトセット', amount: 5400 },
  { name: '茶道具一式', amount: 48400 },
]
