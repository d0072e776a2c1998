// Types of TypeScript from schemas. Generators that others wrote need the compiler's API of TypeScript 5,
// which version 7 does not have.

/** A schema of the API description, as far as it says something about a type. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly maxLength?: number
}

const width = 100

/** A doc comment, in one line or with one line for each hundred columns. */
export function commentOf(text: string | undefined, indent = ''): string {
  if (!text) return ''
  const words = text.replaceAll('*/', '* /').split(/\s+/)
  const lines = ['']
  for (const word of words) {
    const line = `${lines.at(-1)} ${word}`
    if (indent.length + line.length + 3 <= width) lines[lines.length - 1] = line
    else lines.push(` ${word}`)
  }
  const [first = ''] = lines
  if (lines.length === 1 && indent.length + first.length + 7 <= width) {
    return `${indent}/**${first} */\n`
  }
  return `${indent}/**\n${lines.map((line) => `${indent} *${line}\n`).join('')}${indent} */\n`
}

/** A named schema as an exported type. */
export function writeComponent(name: string, schema: Schema): string {
  const comment = commentOf(schema.description)
  const type = typeOf(schema)
  const is_object = schema.type === 'object' && type.startsWith('{')
  return `${comment}export ${is_object ? `interface ${name}` : `type ${name} =`} ${type}\n`
}

/** The TypeScript type of what a schema accepts. */
export function typeOf(schema: Schema, indent = ''): string {
  const { $ref, type, oneOf, anyOf, allOf } = schema
  const shapes = oneOf ?? anyOf
  if ($ref) return $ref.replace(/^.*\//, '')
  if ('const' in schema) return literal(schema.const)
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  if (shapes) return shapes.map((shape) => typeOf(shape, indent)).join(' | ')
  if (allOf) return allOf.map((part) => grouped(typeOf(part, indent))).join(' & ')
  if (typeof type === 'string') return simpleType(schema, type, indent)
  if (type) return type.map((one) => simpleType(schema, one, indent)).join(' | ')
  return 'unknown'
}

const literal = (value: unknown) => JSON.stringify(value).replace(/^"([\w.-]*)"$/, "'$1'")
const grouped = (type: string) => (/^(\w+|\{[^}]*\})$/.test(type) ? type : `(${type})`)

function simpleType(schema: Schema, type: string, indent: string): string {
  if (type === 'integer') return 'number'
  if (type === 'array') return `${grouped(typeOf(schema.items ?? {}, indent))}[]`
  if (type === 'object') return objectType(schema, indent)
  return type
}

function objectType(schema: Schema, indent: string): string {
  const { properties = {}, required = [], additionalProperties: others } = schema
  const names = Object.keys(properties)
  if (names.length === 0) {
    return `Record<string, ${typeof others === 'object' ? typeOf(others, indent) : 'unknown'}>`
  }
  const inner = `${indent}  `
  const fields = Object.entries(properties).map(([name, field]) => {
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name)
    const mark = required.includes(name) ? '' : '?'
    return `${commentOf(field.description, inner)}${inner}${key}${mark}: ${typeOf(field, inner)}\n`
  })
  return `{\n${fields.join('')}${indent}}`
}
