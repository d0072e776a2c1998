import type { Access } from '../../../api/routes/route.ts'
import type { SchemaFields } from '../../../core/api/described-schemas.ts'

/** The part of JSON Schema that the description uses. */
export interface Schema extends SchemaFields<Schema> {}

interface NamedExample {
  readonly summary?: string
  readonly value?: unknown
}

export interface Content {
  readonly schema?: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, NamedExample>>
  /** Examples of other operations with the same response. */
  readonly shared_examples?: Readonly<Record<string, NamedExample>>
}

export interface Message {
  readonly description?: string
  readonly content?: Readonly<Record<string, Content>>
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly example?: unknown
  readonly schema?: Schema
}

interface Reference {
  readonly $ref: string
}

export interface Operation {
  readonly tags?: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly operationId: string
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: Message
  readonly responses: Readonly<Record<string, Message | Reference>>
  readonly 'x-access'?: Access
  readonly 'x-rate'?: string
  readonly 'x-error-groups'?: readonly string[]
  readonly 'x-error-codes'?: readonly string[]
}

export interface WebhookOperation extends Operation {
  readonly 'x-levels'?: readonly string[]
}

/** The part of the API description that the reference shows. Extensions may be absent. */
export interface ApiDescription {
  readonly info: { readonly title: string; readonly version: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks?: Readonly<Record<string, { readonly post: WebhookOperation }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters?: Readonly<Record<string, Parameter>>
    readonly responses?: Readonly<Record<string, Message>>
  }
  readonly 'x-errors'?: Readonly<
    Record<string, { readonly status: number; readonly message: string }>
  >
  readonly 'x-error-groups'?: Readonly<Record<string, readonly string[]>>
  readonly 'x-reasons'?: Readonly<Record<string, string>>
  readonly 'x-charge-errors'?: Readonly<Record<string, string>>
}

/** The codes that an operation can answer with, in the order of the table of errors. */
export function errorCodesOf(
  description: Pick<ApiDescription, 'x-errors' | 'x-error-groups'>,
  operation: Pick<Operation, 'x-error-groups' | 'x-error-codes'>,
): string[] {
  const groups = operation['x-error-groups'] ?? []
  const codes = new Set([
    ...groups.flatMap((group) => description['x-error-groups']?.[group] ?? []),
    ...(operation['x-error-codes'] ?? []),
  ])
  const in_order = Object.keys(description['x-errors'] ?? {}).filter((code) => codes.delete(code))
  return [...in_order, ...codes]
}

/** The target of a reference to a shared part. */
export function resolve<T extends object>(
  part: T | Reference,
  shared: Readonly<Record<string, T>> | undefined,
): T {
  return '$ref' in part ? ((shared?.[nameOf(part.$ref)] ?? {}) as T) : part
}

/** The name at the end of a reference. */
export function nameOf(reference: string): string {
  return reference.split('/').at(-1) ?? ''
}
