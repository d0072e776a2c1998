import { randomInt } from 'node:crypto'

/** Numbers that a simulator hands out. */
export function randomDigits(count: number): string {
  return Array.from({ length: count }, () => String(randomInt(10))).join('')
}
