import { plainEmail } from './users.ts'

const shortest = 12
const longest = 128

/**
 * The building blocks of common passwords, longer words first. Long entries of the well-known lists are
 * such a word followed by digits, signs or itself: only the rest counts.
 */
const common_words = [
  'password',
  'passwort',
  'passw0rd',
  'qwertyuiop',
  'qwerty',
  'asdfghjkl',
  'zxcvbnm',
  'qazwsxedc',
  'iloveyou',
  'administrator',
  'admin',
  'welcome',
  'letmein',
  'changeme',
  'superman',
  'princess',
  'sunshine',
  'football',
  'baseball',
  'trustno',
  'dragon',
  'monkey',
  'master',
  'shadow',
  'michael',
  'computer',
  'internet',
  'starwars',
  'liverpool',
  'chocolate',
  'unknown',
  'secret',
  'default',
  'login',
  'test',
  'abc',
  'kaikei',
  'himitsu',
  'pasuwado',
]

/** One normal form of what can be typed in several ways: full width, composed, half-width kana. */
export function plainPassword(text: string): string {
  return text.normalize('NFKC')
}

/** Why a password is refused. */
export const password_faults = {
  short: `The password must have at least ${shortest} characters.`,
  long: `The password must have at most ${longest} characters.`,
  email: 'The password must not contain the e-mail.',
  common: 'The password is too easy to guess.',
} as const

export type PasswordFault = keyof typeof password_faults

/** The fault of a password; null when it is allowed. */
export function passwordFault(text: string, email: string): PasswordFault | null {
  const password = plainPassword(text)
  const length = [...password].length
  if (length < shortest) return 'short'
  if (length > longest) return 'long'
  const small = password.toLowerCase()
  const [name = ''] = plainEmail(email).split('@')
  if (small.includes(plainEmail(email)) || (name.length > 3 && small.includes(name))) {
    return 'email'
  }
  return isCommon(small) ? 'common' : null
}

const keys_in_order = ['abcdefghijklmnopqrstuvwxyz', '0123456789', 'qwertyuiop', 'asdfghjkl']

function isCommon(small: string): boolean {
  if (new Set(small).size < 5) return true
  const letters = small
    .replaceAll('0', 'o')
    .replaceAll('@', 'a')
    .replaceAll('$', 's')
    .replaceAll(/[^\p{L}]/gu, '')
  const rest = common_words.reduce((left, word) => left.replaceAll(word, ''), letters)
  if (rest !== letters && rest.length < 3) return true
  return isRow(letters.length < 8 ? small : letters)
}

/** Neighbours on the keyboard, or a sequence of digits, up or down, repeated. */
function isRow(text: string): boolean {
  const parts = text.match(/.{1,4}/gu) ?? []
  return parts.every((part) =>
    keys_in_order.some((row) => {
      const turned = [...row].reverse().join('')
      return (row + row).includes(part) || (turned + turned).includes(part)
    }),
  )
}
