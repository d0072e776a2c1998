import { createHmac, timingSafeEqual } from 'node:crypto'

/** One-time codes by RFC 6238, as every authenticator app makes them: SHA-1, 30 seconds, 6 digits. */
const step_ms = 30_000
const digits = 6
/** Clocks of phones may be one step off. */
const tolerated_steps = 1

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Base 32 by RFC 4648 without padding: how people and QR codes transport the secret. */
export function base32(bytes: Buffer): string {
  let text = ''
  let value = 0
  let bits = 0
  for (const byte of bytes) {
    value = (value << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += alphabet.charAt((value >>> bits) & 31)
    }
    value &= 0xff
  }
  return bits > 0 ? text + alphabet.charAt((value << (5 - bits)) & 31) : text
}

export function totpStep(now_ms: number): number {
  return Math.floor(now_ms / step_ms)
}

export function totpCode(secret: Buffer, step: number, length = digits): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const at = (mac.at(-1) ?? 0) & 15
  const number = mac.readUInt32BE(at) & 0x7fffffff
  return String(number % 10 ** length).padStart(length, '0')
}

/** The time step of a code; null when it is not a current one. Every step is compared, in constant time. */
export function matchTotp(secret: Buffer, code: string, now_ms: number): number | null {
  const now_step = totpStep(now_ms)
  let matched: number | null = null
  for (let step = now_step - tolerated_steps; step <= now_step + tolerated_steps; step += 1) {
    const right = Buffer.from(totpCode(secret, step))
    const given = Buffer.from(code)
    if (right.length === given.length && timingSafeEqual(right, given)) matched = step
  }
  return matched
}

/** The content of an enrolment QR code. */
export function otpauthUrl(secret: Buffer, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  const seconds = step_ms / 1000
  return (
    `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}` +
    `&algorithm=SHA1&digits=${digits}&period=${seconds}`
  )
}
