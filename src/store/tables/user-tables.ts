import type { ColumnType } from 'kysely'
import type { MailLanguage, Role } from '../../core/users.ts'

/** A column that the database fills when nothing is given. */
type Defaulted<T> = ColumnType<T, T | undefined, T>

export interface UserTable {
  merchant_id: string
  id: string
  email: string
  name: string
  role: Role
  lang: MailLanguage
  password_hash: string | null
  failures: Defaulted<number>
  locked_until: Date | null
  totp_secret: Buffer | null
  totp_new_secret: Buffer | null
  totp_step: Defaulted<number>
  recovery_hashes: Defaulted<Buffer[]>
  created_on: Date
  updated_on: Date
  disabled_on: Date | null
}

export interface UserSessionTable {
  merchant_id: string
  id: string
  user_id: string
  second_factor: boolean
  ip_address: string
  created_on: Date
  used_on: Date
  expires_on: Date
  ended_on: Date | null
}

export interface PasswordLinkTable {
  merchant_id: string
  id: string
  user_id: string
  token_hash: Buffer
  asked_by: 'user' | 'operator'
  created_on: Date
  expires_on: Date
  used_on: Date | null
}

export interface PasswordResetRequestTable {
  merchant_id: string
  id: string
  email: string
  created_on: Date
  due_on: Date | null
  claims: Defaulted<number>
}

export interface MailTable {
  merchant_id: string
  id: string
  recipient: string
  body: Buffer | null
  created_on: Date
  sent_on: Date | null
  due_on: Date | null
  claims: Defaulted<number>
}
