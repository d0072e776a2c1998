import { hash, randomBytes, randomFillSync, randomUUID } from 'node:crypto'

/** Random bytes are fetched in large blocks: ten bytes cost as much as thousands. */
const chance = Buffer.alloc(8192)
let used = chance.length

/** The position in `chance` of the next unused bytes. */
function takeChance(count: number): number {
  if (used + count > chance.length) {
    randomFillSync(chance)
    used = 0
  }
  used += count
  return used - count
}

/** Unused random bytes; the caller owns them. */
export function freshBytes(count: number): Buffer {
  const start = takeChance(count)
  const bytes = Buffer.from(chance.subarray(start, start + count))
  chance.fill(0, start, start + count)
  return bytes
}

let last_ms = -1
let last_time = ''
let counter = 0
const numbers = Array.from({ length: 0x1000 }, (_, n) => `-7${n.toString(16).padStart(3, '0')}-`)

/**
 * A UUIDv7 for the given instant: ids sort by creation, so every list pages by id. Within one
 * millisecond the 12 bits after the version count up from a random start below half of their range; the
 * last 62 bits are random and cannot be guessed.
 */
export function newId(now_ms: number): string {
  const at = takeChance(10)
  if (now_ms === last_ms && counter < 0xfff) {
    counter += 1
  } else {
    if (now_ms !== last_ms) last_time = timeText(now_ms)
    last_ms = now_ms
    counter = chance.readUInt16BE(at + 8) & 0x7ff
  }
  chance[at] = (chance.readUInt8(at) & 0x3f) | 0x80
  const tail = chance.toString('hex', at, at + 8)
  chance.fill(0, at, at + 10)
  return `${last_time}${numbers[counter]}${tail.slice(0, 4)}-${tail.slice(4)}`
}

/** The first half of an id of an instant. */
function timeText(ms: number): string {
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}`
}

/** An id that does not reveal when it was created: for names that third parties see. */
export function newUnguessableId(): string {
  return randomUUID()
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Random letters and digits, 5.95 bits each; bytes that would bias the result are dropped. */
export function randomText(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += letters.charAt(byte % 62)
    }
  }
  return text
}

/** The instant of an id. */
export function instantOf(id: string): number {
  return Number.parseInt(`${id.slice(0, 8)}${id.slice(9, 13)}`, 16)
}

/** The smallest id of an instant: ids created before it are smaller. No id is before 1970. */
export function firstIdAt(ms: number): string {
  return `${timeText(Math.max(ms, 0))}-0000-0000-000000000000`
}

/** Whether an id contains an instant. */
export function isTimed(id: string): boolean {
  return id.charAt(14) === '7'
}

/** Before all ids. */
export const first_id = firstIdAt(0)

/** Stands for the installation itself where rows belong to a merchant. */
export const installation_id = '00000000-0000-0000-0000-000000000000'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return uuid.test(text)
}

/** An id derived from another id and a purpose: deriving it again gives the same id. */
export function derivedId(id: string, purpose: string): string {
  const hex = hash('sha256', `${id} ${purpose}`)
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`]
  return [...parts, `${variant}${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')
}
