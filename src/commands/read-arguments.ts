import { parseArgs } from 'node:util'
import { isUuid } from '../core/ids.ts'
import { closestWord } from '../core/text/terminal/closest-word.ts'
import { type CommandName, command_names, commands } from './command-table.ts'
import type { Argument, Command, Kind, Option } from './line/command.ts'
import { UsageError } from './line/command.ts'

export interface Given {
  readonly args: string[]
  readonly options: Record<string, string | number | boolean | (string | number)[]>
}

/** Finds the command that the first one or two words name; the rest are its arguments. */
export function findCommand(words: readonly string[]): { name: CommandName; rest: string[] } {
  const [first = '', second = ''] = words
  const name = command_names.find((one) => one === `${first} ${second}` || one === first)
  if (name) return { name, rest: words.slice(name.split(' ').length) }
  const verbs = verbsOf(first)
  if (verbs.length === 0) {
    const groups = command_names.flatMap((one) => [one, one.split(' ')[0] ?? ''])
    const meant = closestWord(`${first} ${second}`.trim(), groups) ?? closestWord(first, groups)
    throw new UsageError(`There is no command "${first}".${didYouMean(meant)} See "kaikei help".`)
  }
  const said = second === '' ? `Say what to do with ${first}` : `"${first}" has no "${second}"`
  const meant = closestWord(second, verbs)
  const choices = `kaikei ${first} ${verbs.join('|')}`
  throw new UsageError(`${said}: ${choices}.${didYouMean(meant && `${first} ${meant}`)}`)
}

/** The second words of the commands that begin with a word. */
export function verbsOf(group: string): string[] {
  return command_names.flatMap((name) =>
    name.startsWith(`${group} `) ? name.slice(group.length + 1) : [],
  )
}

function didYouMean(word: string | null): string {
  return word ? ` Did you mean "${word}"?` : ''
}

/** Reads what follows the name of a command, by the table. */
export function readArguments(name: CommandName, rest: readonly string[]): Given {
  const command: Command = commands[name] ?? { meaning: '' }
  const refuse = (message: string): never => {
    const space = message.endsWith('\n') ? '' : ' '
    throw new UsageError(`${message}${space}See "kaikei help ${name}".`)
  }
  const { args, options } = split(command, rest, refuse)
  const wanted = command.arguments ?? []
  wanted.forEach((argument, at) => {
    const text = args[at]
    if (text !== undefined) readText(argument.name, argument, text, refuse)
    else if (!argument.optional) refuse(`"${name}" needs ${needed(argument)}`)
  })
  const extra = wanted.at(-1)?.many ? undefined : args[wanted.length]
  if (extra !== undefined) refuse(`"${extra}" is one argument too many.`)
  for (const [key, { required }] of Object.entries(command.options ?? {})) {
    if (required && options[key] === undefined) refuse(`"${name}" needs --${key}.`)
  }
  return { args, options }
}

function needed({ name, choices }: Argument): string {
  return choices ? `${name}, one of:\n  ${choices.join('\n  ')}\n` : `${name}.`
}

type Refuse = (message: string) => never

function split({ options: known = {} }: Command, rest: readonly string[], refuse: Refuse): Given {
  const { tokens } = parseArgs({
    args: [...rest],
    options: Object.fromEntries(
      Object.entries(known).map(([key, { value }]) => [
        key,
        { type: value === undefined ? 'boolean' : 'string' } as const,
      ]),
    ),
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const given: Given = { args: [], options: {} }
  for (const token of tokens) {
    if (token.kind === 'positional') given.args.push(token.value)
    if (token.kind !== 'option') continue
    const { name, rawName, inlineValue } = token
    const option: Option | undefined = rawName.startsWith('--') ? known[name] : undefined
    if (!option) {
      const meant = closestWord(name, Object.keys(known))
      return refuse(`There is no option ${rawName}.${didYouMean(meant && `--${meant}`)}`)
    }
    const value = readOption(name, option, token.value, inlineValue, refuse)
    const before = given.options[name]
    if (!option.many && before !== undefined) refuse(`--${name} may be given once.`)
    given.options[name] = option.many
      ? [...(Array.isArray(before) ? before : []), value as string]
      : value
  }
  return given
}

function readOption(
  name: string,
  option: Option,
  text: string | undefined,
  is_inline: boolean | undefined,
  refuse: Refuse,
): string | number | boolean {
  if (option.value === undefined) {
    if (text !== undefined) refuse(`--${name} takes no value.`)
    return true
  }
  if (text === undefined || (text.startsWith('-') && text.length > 1 && !is_inline)) {
    return refuse(`--${name} needs a value: --${name}=${option.value}.`)
  }
  return readText(`--${name}`, option, text, refuse)
}

const kinds: Readonly<Record<Kind, { accepts(text: string): boolean; rule: string }>> = {
  text: { accepts: () => true, rule: '' },
  id: { accepts: isUuid, rule: 'must be an id (UUID) that a list command prints' },
  merchant: {
    accepts: (text) => text === 'demo' || isUuid(text),
    rule: 'must be demo or a UUID that "kaikei merchants list" lists',
  },
  number: {
    accepts: (text) => /^[1-9]\d{0,5}$/.test(text),
    rule: 'must be a whole number of at least 1',
  },
}

function readText(
  name: string,
  { kind = 'text', choices }: Pick<Option, 'kind' | 'choices'>,
  text: string,
  refuse: Refuse,
): string | number {
  if (choices && !choices.includes(text)) {
    const meant = didYouMean(closestWord(text, choices))
    refuse(`${name} must be one of ${choices.join(', ')}.${meant}`)
  }
  const { accepts, rule } = kinds[kind]
  if (!accepts(text)) refuse(`${name} ${rule}.`)
  return kind === 'number' ? Number(text) : text
}
