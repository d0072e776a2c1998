import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { command_names, commands } from './command-table.ts'
import { commandHelp, commandsTable, groupHelp, overview, usageOf } from './help.ts'
import { findCommand, readArguments } from './read-arguments.ts'

test('docs/commands.md has the table of the commands, as `npm run generate` writes it', () => {
  const document = readFileSync(new URL('../../docs/commands.md', import.meta.url), 'utf8')
  expect(document).toContain(`\n\n${commandsTable()}\n`)
})

test('the overview names every command and fits into a terminal', () => {
  const text = overview('1.2.3', 'npx kaikei')
  expect(text).toContain('Type "npx kaikei" for kaikei.')
  expect(text).toContain('Kaikei 1.2.3')
  for (const name of command_names) expect(text).toContain(`\n  ${name} `)
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120)
})

test('the help of a command has its usage, options and examples', () => {
  expect(
    commandHelp('charges list'),
  ).toBe(`Usage: kaikei charges list MERCHANT [--store STORE] [--status STATUS] [--from TIME] [--to TIME] [--mode test|live] [--limit N] [--json]

List charges of a merchant, newest first.

  --store STORE    Only items of this store
  --status STATUS  Only items in this state: pending, awaiting, authorized, successful, failed, error, canceled
  --from TIME      Created at this time or later
  --to TIME        Created before this time
  --mode MODE      test or live
  --limit N        At most N, 20 by default, up to 1000
  --json           Print JSON on a terminal too

  $ kaikei charges list demo --status failed --from 2026-01-31 --limit 100
`)
  expect(groupHelp('vault')).toContain('vault retire KEY')
  expect(commandHelp('trigger')).toMatch(/EVENT +One of: token_created, /)
  expect(usageOf('serve', 'all')).toBe('serve')
})

test('every example is a command line that is accepted', () => {
  const examples = command_names.flatMap((name) => commands[name]?.examples ?? [])
  expect(examples.length).toBeGreaterThan(10)
  for (const example of examples.filter((one) => one !== '')) {
    const words = [...example.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)]
    const { name, rest } = findCommand(words.map(([, a, b, c]) => a ?? b ?? c ?? ''))
    expect(() => readArguments(name, rest), example).not.toThrow()
  }
})
