import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox'

/**
 * Properties of a schema for the API description only. Validators and serializers do not see symbols, and
 * copies of a schema keep them.
 */
export const shown_as = Symbol('shown as')
export const field_description = Symbol('description of the field')

export interface Notes {
  readonly [shown_as]?: TSchema
  readonly [field_description]?: string
}

/** The part of JSON Schema that the description uses, with schemas of one kind inside. */
export interface SchemaFields<Schema> {
  readonly $ref?: string
  readonly title?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly discriminator?: {
    readonly propertyName: string
    readonly mapping?: Readonly<Record<string, string>>
  }
}

/** A copy with more keys. The hidden keys of the library stay, so an optional field stays optional. */
export function withKeys<T extends TSchema>(schema: T, more: object): T {
  const keys = {
    ...Object.getOwnPropertyDescriptors(schema),
    ...Object.getOwnPropertyDescriptors(more),
  }
  return Object.defineProperties({}, keys) as T
}

/** Gives a schema its name in the API description: everything with this name is described once. */
export function named<T extends TSchema>(title: string, schema: T, description?: string): T {
  return withKeys(schema, description === undefined ? { title } : { title, description })
}

/**
 * The purpose of a field. A named schema keeps its own description: there the text stands beside the
 * reference.
 */
export function described<T extends TSchema>(schema: T, text: string): T {
  const is_named = 'title' in schema || shown_as in schema
  return withKeys(schema, is_named ? { [field_description]: text } : { description: text })
}

/**
 * A schema that says more to readers than to the program: the description shows the second one. Tests
 * check every response against it.
 */
export function shownAs<T extends TSchema>(schema: T, shown: TSchema): T {
  return withKeys(schema, { [shown_as]: shown })
}

/** The name of a schema out of the name of a field: `bank_transfer` gives `BankTransfer`. */
export function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** The schema that the description shows. */
export function shownSchema(schema: TSchema & Notes): TSchema & { title?: string } {
  return schema[shown_as] ?? schema
}

/** A text out of a table: responses are not checked against the table, but the description has it. */
export function textOf<const Name extends string>(
  title: string | null,
  names: readonly Name[],
  description?: string,
): ReturnType<typeof Type.String> {
  const shown = Type.Enum([...names])
  return shownAs(Type.String(), title === null ? shown : named(title, shown, description))
}

/** An object with the fields of another one and more; described as that one and the rest. */
export function extended<Base extends TProperties, More extends TProperties>(
  title: string,
  base: TObject<Base>,
  more: More,
  description?: string,
): TObject<Base & More> {
  const whole = Type.Object({ ...base.properties, ...more }) as unknown as TObject<Base & More>
  return shownAs(whole, named(title, allOf(base, Type.Object(more)), description))
}

export function allOf(...parts: TSchema[]): TSchema {
  return Type.Unsafe({ allOf: parts })
}

/** One of several shapes, chosen by the value of a field. */
export function oneBy<T extends TSchema>(propertyName: string, shapes: readonly T[]) {
  return Type.Unsafe<Static<T>>({ oneOf: shapes, discriminator: { propertyName } })
}
