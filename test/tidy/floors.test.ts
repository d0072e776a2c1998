import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

// The structure of src: its folders are floors, and their folders are rooms. Imports of types count.
const src = fileURLToPath(new URL('../../src', import.meta.url))

/** From the ground up. Code imports what stands on its own floor or below. */
const floors: readonly (readonly string[])[] = [
  ['core'],
  ['config.ts', 'log.ts'],
  ['store', 'shared-state'],
  ['vault', 'outbound', 'backup', 'traces', 'providers'],
  ['service.ts', 'local-work.ts'],
  ['methods'],
  ['api'],
  ['events', 'ledger', 'simulator', 'connectors'],
  ['open-providers.ts'],
  ['accounts'],
  ['payments'],
  ['commerce'],
  ['views'],
  ['pages', 'doctor'],
  ['http', 'worker'],
  ['open-service.ts', 'register-effects.ts', 'main.ts', 'processes'],
  ['commands'],
  ['cli.ts'],
]

const sources = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
)

function importsOf(name: string): string[] {
  const text = readFileSync(join(src, name), 'utf8')
  const found = [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)]
  return found.map(([, path = '']) => normalize(join(dirname(name), path)))
}

const imports = sources.flatMap((from) =>
  importsOf(from)
    .filter((to) => sources.includes(to))
    .map((to) => ({ from, to })),
)

function floorOf(name: string): number {
  const [folder = ''] = name.split('/')
  const floor = floors.findIndex((names) => names.includes(folder))
  if (floor === -1) throw new Error(`src/${folder} has no floor; add it to the table.`)
  return floor
}

/** A folder of a floor; a file that stands beside them is a room of its own. */
function roomOf(name: string): string {
  return name.split('/').slice(0, 2).join('/')
}

/** Rooms that import each other, also by way of others. */
function cyclesIn(edges: readonly { from: string; to: string }[]): string[] {
  const targets = new Map<string, Set<string>>()
  for (const { from, to } of edges) {
    if (from !== to) targets.set(from, (targets.get(from) ?? new Set()).add(to))
  }
  const reachable = (start: string): Set<string> => {
    const seen = new Set<string>()
    const open = [...(targets.get(start) ?? [])]
    for (let room = open.pop(); room !== undefined; room = open.pop()) {
      if (seen.has(room)) continue
      seen.add(room)
      open.push(...(targets.get(room) ?? []))
    }
    return seen
  }
  return [...targets.keys()].filter((room) => reachable(room).has(room)).toSorted()
}

test('imports lead to the same floor or a lower one', () => {
  const up = imports.filter(({ from, to }) => floorOf(to) > floorOf(from))
  expect(up.map(({ from, to }) => `${from} imports ${to}`)).toEqual([])
})

test('rooms import each other in one direction', () => {
  const edges = imports.map(({ from, to }) => ({ from: roomOf(from), to: roomOf(to) }))
  expect(cyclesIn(edges)).toEqual([])
})

test('the rules can fail: an import upwards and a cycle are found', () => {
  expect(floorOf('http/app.ts')).toBeGreaterThan(floorOf('core/ids.ts'))
  expect(importsOf('main.ts')).toContain('http/app.ts')
  const cycle = [
    { from: 'payments/tokens', to: 'payments/charges' },
    { from: 'payments/charges', to: 'payments/routing' },
    { from: 'payments/routing', to: 'payments/tokens' },
    { from: 'commerce/refunds', to: 'payments/charges' },
  ]
  expect(cyclesIn(cycle)).toEqual(['payments/charges', 'payments/routing', 'payments/tokens'])
})
