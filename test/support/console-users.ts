import { expect } from 'vitest'
import { createUser } from '../../src/accounts/users/create-user.ts'
import { usePasswordLink } from '../../src/accounts/users/password-link.ts'
import { totpCode, totpStep } from '../../src/core/access/totp.ts'
import type { Role } from '../../src/core/access/users.ts'
import type { TestMerchant, World } from './world.ts'

export const password = 'tulip-47-garden'

export interface TestUser {
  id: string
  email: string
  merchant_id: string
}

let made = 0

/** A user who has chosen a password. */
export async function newUser(
  world: World,
  merchant: TestMerchant,
  wanted: { role?: Role; lang?: 'ja' | 'en'; name?: string; email?: string } = {},
): Promise<TestUser> {
  made += 1
  const { role = 'owner', lang = 'en', name = 'Hanako' } = wanted
  const { email = `user${made}@console.example` } = wanted
  const new_user = { merchant_id: merchant.id, email, name, role, lang }
  const { user, link } = await createUser(world.service, new_user)
  await usePasswordLink(world.service, link.split('/').at(-1) ?? '', password)
  return { id: user.id, email, merchant_id: merchant.id }
}

export const logIn = (world: World, email: string, more: object = {}) =>
  world.call('POST', '/authenticate', { body: { email, password, ...more } })

export async function loginToken(world: World, email: string, more: object = {}): Promise<string> {
  const response = await logIn(world, email, more)
  expect(response, response.text).toMatchObject({ status: 200 })
  return `Bearer ${response.body.jwt}`
}

/** Base 32 back to bytes, as an authenticator app does it. */
function bytesOf(secret: string): Buffer {
  const bits = [...secret]
    .map((char) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(char).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** The current code of an authenticator app with this secret. */
export function codeOf(world: World, secret: string): string {
  return totpCode(bytesOf(secret), totpStep(world.clock.now()))
}

export interface Authenticator {
  /** The current code. */
  code(): string
  auth: string
  recovery_codes: string[]
}

/** Enables the authenticator app, and continues in the session that this started. */
export async function enrol(world: World, email: string): Promise<Authenticator> {
  const auth = await loginToken(world, email)
  const { body, status } = await world.call('POST', '/me/totp', { auth, body: { password } })
  expect(status).toBe(201)
  const code = () => codeOf(world, body.secret)
  const done = await world.call('POST', '/me/totp/confirm', { auth, body: { totp: code() } })
  expect(done, done.text).toMatchObject({ status: 200 })
  const { jwt, recovery_codes } = done.body
  return { code, auth: `Bearer ${jwt}`, recovery_codes }
}

export function claimsOf(auth: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(auth.split('.')[1] ?? '', 'base64url').toString())
}
