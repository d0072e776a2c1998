import { expect, test } from 'vitest'
import { type CommandName, command_names } from './command-table.ts'
import { UsageError } from './line/command.ts'
import { findCommand, readArguments } from './read-arguments.ts'

const id = '01a1e56a-1171-77a6-9f56-e91265c94bda'

function read(...words: string[]) {
  const { name, rest } = findCommand(words)
  return { name, ...readArguments(name, rest) }
}

function refusal(...words: string[]): string {
  try {
    read(...words)
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
  throw new Error(`${words.join(' ')} was accepted`)
}

test('arguments and options come in any order, with a space or an equals sign', () => {
  expect(read('charges', 'list', '--limit', '5', 'demo', '--status=failed', '--json')).toEqual({
    name: 'charges list',
    args: ['demo'],
    options: { limit: 5, status: 'failed', json: true },
  })
  const domains = ['--domain', 'a.example', '--domain', 'b.example']
  expect(read('app-tokens', 'create', id, ...domains).options).toEqual({
    domain: ['a.example', 'b.example'],
  })
  expect(read('transfers', 'fail', id, '--reason=-1 yen').options).toEqual({ reason: '-1 yen' })
})

test.each([
  [['nonsense'], 'There is no command "nonsense". See "kaikei help".'],
  [['mercants', 'list'], 'There is no command "mercants". Did you mean "merchants list"?'],
  [['charge', 'list', 'demo'], 'There is no command "charge". Did you mean "charges list"?'],
  [['doctro'], 'Did you mean "doctor"?'],
  [['merchants'], 'Say what to do with merchants: kaikei merchants list|create|verify|configure.'],
  [
    ['merchants', 'lsit'],
    '"merchants" has no "lsit": kaikei merchants list|create|verify|configure. Did you mean "merchants list"?',
  ],
  [['merchants', 'list', '--jsno'], 'There is no option --jsno. Did you mean "--json"?'],
  [['merchants', 'list', '-j'], 'There is no option -j. See "kaikei help merchants list".'],
  [['merchants', 'list', '--json=yes'], '--json takes no value.'],
  [['merchants', 'list', 'all'], '"all" is one argument too many.'],
  [['merchants', 'create', '--name', 'X'], '"merchants create" needs --email.'],
  [
    ['merchants', 'create', '--name', '--email', 'a@b.example'],
    '--name needs a value: --name=NAME.',
  ],
  [['merchants', 'create', '--name'], '--name needs a value'],
  [['merchants', 'create', '--name', 'X', '--name', 'Y'], '--name may be given once.'],
  [['charges', 'list'], '"charges list" needs MERCHANT.'],
  [
    ['charges', 'list', 'nobody'],
    'MERCHANT must be demo or a UUID that "kaikei merchants list" lists.',
  ],
  [['charges', 'show', 'demo', '12'], 'CHARGE must be an id (UUID)'],
  [['charges', 'list', 'demo', '--limit', '0'], '--limit must be a whole number of at least 1.'],
  [['charges', 'list', 'demo', '--status', 'succesful'], 'Did you mean "successful"?'],
  [['transfers', 'create', 'demo', '--mode', 'both'], '--mode must be one of test, live.'],
  [['trigger'], '"trigger" needs EVENT, one of:\n  token_created'],
  [['trigger', 'charge_finishd'], 'Did you mean "charge_finished"?'],
])('%j is refused', (words, message) => {
  expect(refusal(...words)).toContain(message)
})

test('no command is the beginning of another one', () => {
  for (const name of command_names as CommandName[]) {
    expect(findCommand([...name.split(' '), 'more'])).toEqual({ name, rest: ['more'] })
  }
})
