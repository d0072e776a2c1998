import { type CommandName, command_names, commands } from './command-table.ts'
import type { Argument, Command, Option } from './line/command.ts'
import { verbsOf } from './read-arguments.ts'

/** So few are written out in the usage. */
const few_choices = 3

function commandNamed(name: string): Command {
  return commands[name] ?? { meaning: '' }
}

function argumentText({ name, choices, optional, many }: Argument): string {
  const text = choices && choices.length <= few_choices ? choices.join('|') : name
  return `${optional ? `[${text}]` : text}${many ? '…' : ''}`
}

function optionText(name: string, { value, choices, many, required }: Option): string {
  const shown = choices && choices.length <= few_choices ? choices.join('|') : value
  const text = shown === undefined ? `--${name}` : `--${name} ${shown}`
  return `${required ? text : `[${text}]`}${many ? '…' : ''}`
}

function optionsOf(name: string): [string, Option][] {
  return Object.entries(commandNamed(name).options ?? {}).filter(([, option]) => !option.internal)
}

/** The command with its arguments and some of its options. */
export function usageOf(name: CommandName, which: 'no' | 'required' | 'all'): string {
  const given = (commandNamed(name).arguments ?? []).map(argumentText)
  const shown = optionsOf(name).filter(([, { required }]) =>
    which === 'required' ? required : which === 'all',
  )
  return [name, ...given, ...shown.map(([key, option]) => optionText(key, option))].join(' ')
}

function columnsOf(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}

/** Texts of the table are also those of docs/commands.md, which marks code. */
function plain(text: string): string {
  return text.replaceAll('`', '')
}

function listText(names: readonly CommandName[]): string {
  return columnsOf(
    names.map((name) => [usageOf(name, 'no'), plain(commandNamed(name).meaning)] as const),
  )
}

/** All commands. */
export function overview(version: string, called_as: string): string {
  return `Kaikei ${version}: a payment service with an HTTP API

Usage: kaikei [COMMAND]      without a command, the service starts

${listText(command_names)}

"kaikei help COMMAND" shows options and examples. MERCHANT is an id, or demo.
"kaikei open docs" opens the documents of the running service.${
    called_as === 'kaikei' ? '' : `\nType "${called_as}" for kaikei.`
  }
`
}

/** The commands that begin with a word. */
export function groupHelp(group: string): string {
  const names = verbsOf(group).map((verb) => `${group} ${verb}` as CommandName)
  return `${listText(names)}\n\n"kaikei help ${group} ${verbsOf(group)[0]}" shows options and examples.\n`
}

/** One command with its options and examples. */
export function commandHelp(name: CommandName): string {
  const { arguments: wanted = [], meaning, help, examples = [] } = commandNamed(name)
  const allowed = ({ choices = [] }: Argument | Option) =>
    choices.length > few_choices ? `: ${choices.join(', ')}` : ''
  const given = wanted.filter(allowed).map((one) => [one.name, `One of${allowed(one)}`] as const)
  const options = optionsOf(name).map(([key, option]) => {
    const { value, meaning: what } = option
    return [`--${key}${value ? ` ${value}` : ''}`, `${what}${allowed(option)}`] as const
  })
  const rows = [...given, ...options]
  const parts = [
    `Usage: kaikei ${usageOf(name, 'all')}`,
    `${plain(meaning)}.${help ? `\n${help}` : ''}`,
    ...(rows.length > 0 ? [columnsOf(rows)] : []),
    ...(examples.length > 0
      ? [examples.map((one) => `  $ kaikei ${one}`.trimEnd()).join('\n')]
      : []),
  ]
  return `${parts.join('\n\n')}\n`
}

/** The table of docs/commands.md. */
export function commandsTable(): string {
  const rows = command_names.map((name) => {
    const usage = usageOf(name, 'required').replaceAll('|', '\\|')
    return `| \`${usage}\` | ${commandNamed(name).meaning} |`
  })
  return ['| Command | What it does |', '|---|---|', ...rows].join('\n')
}
