import type { Operation, Parameter, Response } from './describe-operation.ts'
import type { Schema } from './name-components.ts'
import type { error_groups } from './operation-errors.ts'

export type Paths = Record<string, Record<string, Operation>>

/**
 * The API description. Beside what OpenAPI has, it carries the tables of errors: `x-errors` has status
 * and message of each code, `x-error-groups` the codes that operations share, `x-reasons` the words about
 * a field, `x-charge-errors` why payments fail.
 * The order of `tags` is the order of the reference. `Operation` says what an operation carries.
 */
export interface ApiDescription {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly security: Operation['security']
  readonly paths: Paths
  readonly webhooks: Readonly<Record<string, { readonly post: object }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly responses: Readonly<Record<string, Response>>
    readonly headers: object
    readonly securitySchemes: object
  }
  readonly 'x-errors': Readonly<Record<string, { status: number; message: string }>>
  readonly 'x-error-groups': typeof error_groups
}
