import type { ColumnType } from 'kysely'
import type {
  AuditDetails,
  AuditKind,
  MailLanguage,
  Role,
  SessionVia,
} from '../../../core/access/users.ts'
import type { JsonColumn, NullableJson } from '../column-kinds.ts'
import type { Finding } from '../finding.ts'

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
  is_operator: Defaulted<boolean>
  created_on: Date
  updated_on: Date
  disabled_on: Date | null
}

export interface UserSessionTable {
  merchant_id: string
  id: string
  user_id: string
  second_factor: boolean
  via: Defaulted<SessionVia>
  ip_address: string
  user_agent: Defaulted<string>
  created_on: Date
  used_on: Date
  expires_on: Date
  ended_on: Date | null
  confirmed_until: Date | null
}

export interface ConsoleLinkTable {
  merchant_id: string
  id: string
  user_id: string
  token_hash: Buffer
  created_on: Date
  expires_on: Date
  used_on: Date | null
}

export interface AuditLogTable {
  merchant_id: string
  id: string
  number: number
  action_id: string
  kind: AuditKind
  user_id: string
  session_id: string | null
  action: string
  resource_id: string | null
  details: JsonColumn<AuditDetails>
  created_on: Date
  hash: Buffer
}

export interface DoctorRunTable {
  merchant_id: string
  id: string
  user_id: string
  started_on: Date
  finished_on: Date | null
  findings: NullableJson<Finding[]>
}

export interface AuditHeadTable {
  merchant_id: string
  number: number
  hash: Buffer
  seal: Buffer
}

/** The newest line of a merchant, in the chain over all merchants. */
export interface AuditAnchorTable {
  number: number
  merchant_id: string
  audit_number: number
  audit_hash: Buffer
  created_on: Date
  hash: Buffer
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

/** The origin of a merchant that may be removed as a whole. */
export type RemovableKind = 'demo_shop'

export interface RemovableMerchantTable {
  merchant_id: string
  kind: RemovableKind
  created_on: Date
}
