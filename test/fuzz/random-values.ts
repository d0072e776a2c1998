/** The parts of a JSON schema that values are generated from. */
export interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  format?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  oneOf?: Schema[]
}

/** A generator that gives the same numbers for the same seed. */
export interface Random {
  /** A whole number from 0 to below the limit. */
  below(limit: number): number
  chance(part: number): boolean
  pick<T>(list: readonly T[]): T
  uuid(): string
}

export function newRandom(seed: number): Random {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  const hex = (length: number) => Array.from({ length }, () => below(16).toString(16)).join('')
  return {
    below,
    chance: (part) => next() < part,
    pick: (list) => list[below(list.length)] as never,
    uuid: () => `${hex(8)}-${hex(4)}-7${hex(3)}-8${hex(3)}-${hex(12)}`,
  }
}

const by_format: Readonly<Record<string, readonly string[]>> = {
  email: ['a@example.com', 'long.name+tag@shop.example', 'x+charge-failure-306@example.com'],
  uri: ['https://shop.example/hook', 'http://localhost:3000/', 'https://例え.jp/x'],
  domain: ['*', 'shop.example', '*.shop.example', 'localhost:3000'],
  duration: ['P1D', 'PT30M', 'P1M2DT3H', 'P7D'],
  instant: ['2026-01-15T00:00:00Z', '2026-01-15', '2026-01-15T09:00:00.5+09:00'],
  date: ['2026-02-01', '2026-12-31'],
  time_of_day: ['09:00:00+09:00', '23:59Z'],
  currency: ['JPY', 'usd', 'KWD', 'EUR'],
  country: ['JP', 'us'],
  language: ['ja', 'en-US'],
  time_zone: ['Asia/Tokyo', 'UTC'],
  ipv4: ['192.0.2.1'],
}

/** A value that fits a schema. */
export function fitting(schema: Schema, random: Random): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return random.pick(schema.enum)
  if (schema.oneOf) return fitting(random.pick(schema.oneOf), random)
  const type = random.pick([schema.type ?? 'object'].flat())
  switch (type) {
    case 'null':
      return null
    case 'boolean':
      return random.chance(0.5)
    case 'integer':
    case 'number': {
      const least = schema.minimum ?? 0
      const most = Math.min(schema.maximum ?? 1000, 2 ** 31)
      return random.pick([least, most, least + random.below(Math.max(1, most - least + 1))])
    }
    case 'array':
      return Array.from({ length: (schema.minItems ?? 0) + random.below(3) }, () =>
        fitting(schema.items ?? { type: 'string' }, random),
      )
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([name]) => schema.required?.includes(name) || random.chance(0.3))
          .map(([name, inner]) => [name, fitting(inner, random)]),
      )
    default: {
      if (schema.format === 'uuid') return random.uuid()
      const known = by_format[schema.format ?? '']
      if (known) return random.pick(known)
      const length = (schema.minLength ?? 0) + random.below(Math.min(schema.maxLength ?? 20, 20))
      return 'abc123XYZ-9 '.repeat(10).slice(0, Math.max(length, 1))
    }
  }
}

const texts = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202e\u0007',
  "' or '1'='1",
  "'; drop table merchants; --",
  '%_%\\',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '$' + '{jndi:ldap://x}',
  '4242424242424242',
  'ａｍｏｕｎｔ',
  'x'.repeat(5000),
  '__proto__',
  'NaN',
  '1e400',
  '0x10',
  '-0',
  'null',
  '2026-02-30',
  'P99999999999999999999D',
] as const

/** Values that no client should send. */
export function hostile(random: Random): unknown {
  return random.pick<unknown>([
    ...texts,
    null,
    true,
    0,
    -1,
    0.5,
    1e308,
    -0,
    Number.MAX_SAFE_INTEGER + 2,
    [],
    {},
    [[]],
    { constructor: { prototype: { polluted: 1 } }, toString: 1 },
    { a: { b: { c: { d: { e: { f: 1 } } } } } },
  ])
}

/** The value with one part changed, removed, emptied or added. */
export function broken(value: unknown, random: Random): unknown {
  if (value === null || typeof value !== 'object') return hostile(random)
  if (Array.isArray(value)) {
    if (value.length === 0) return [hostile(random)]
    const at = random.below(value.length)
    return value.map((inner, index) => (index === at ? broken(inner, random) : inner))
  }
  const names = Object.keys(value)
  if (names.length === 0 || random.chance(0.1)) {
    return { ...value, [(JSON.stringify(hostile(random)) ?? 'x').slice(0, 40)]: hostile(random) }
  }
  const name = random.pick(names)
  const { [name]: inner, ...rest } = value as Record<string, unknown>
  if (random.chance(0.15)) return rest
  return { ...rest, [name]: random.chance(0.5) ? broken(inner, random) : hostile(random) }
}
