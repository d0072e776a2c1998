import { type CommandName, command_names, commands } from './command-table.ts'

/** A word that may come next, and what it means. */
export interface Completion {
  readonly word: string
  readonly meaning: string
}

/** The candidates for the last word, which is incomplete. */
export function complete(words: readonly string[]): Completion[] {
  const typed = words.at(-1) ?? ''
  return candidates(words.slice(0, -1)).filter(({ word }) => word.startsWith(typed))
}

function candidates(before: readonly string[]): Completion[] {
  const [first = '', second = ''] = before
  if (first === 'help') return nextWords(before.slice(1))
  const name = command_names.find((one) => one === first || one === `${first} ${second}`)
  return name ? nextOf(name, before.slice(name.split(' ').length)) : nextWords(before)
}

/** The next word of the names that begin with these words. */
function nextWords(before: readonly string[]): Completion[] {
  const start = before.map((word) => `${word} `).join('')
  const found = new Map<string, string>()
  for (const name of command_names) {
    if (!name.startsWith(start)) continue
    const [word = '', verb] = name.slice(start.length).split(' ')
    const { meaning = '' } = commands[name] ?? {}
    const verbs = found.has(word) ? `${found.get(word)}, ${verb}` : verb
    found.set(word, verb === undefined ? meaning : (verbs ?? ''))
  }
  return [...found].map(([word, meaning]) => ({ word, meaning: meaning.replaceAll('`', '') }))
}

/** The value of the option before, or the next argument, or an option. */
function nextOf(name: CommandName, before: readonly string[]): Completion[] {
  const { arguments: wanted = [], options = {} } = commands[name] ?? {}
  const last = before.at(-1) ?? ''
  const open = last.startsWith('--') ? options[last.slice(2)] : undefined
  if (open?.value !== undefined) return wordsOf(open.choices)
  const placed = before.filter((word, at) => {
    const option = options[before[at - 1]?.replace(/^--/, '') ?? '']
    return !word.startsWith('-') && option?.value === undefined
  })
  const argument = wanted[placed.length]
  const given = argument?.kind === 'merchant' ? ['demo'] : argument?.choices
  const rest = Object.entries(options).filter(
    ([key, { many, internal }]) => !internal && (many || !before.includes(`--${key}`)),
  )
  return [
    ...wordsOf(given),
    ...rest.map(([key, { meaning }]) => ({ word: `--${key}`, meaning })),
    { word: '--help', meaning: 'Explain this command' },
  ]
}

function wordsOf(choices: readonly string[] = []): Completion[] {
  return choices.map((word) => ({ word, meaning: '' }))
}

/** The shells ask the program itself: `kaikei complete WORDS…` prints a word and its meaning a line. */
export const completion_scripts = {
  bash: `_kaikei() {
  local IFS=$'\\n'
  COMPREPLY=($(kaikei complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -F _kaikei kaikei
`,
  zsh: `_kaikei() {
  local -a found
  found=("\${(@f)$(kaikei complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  found=("\${(@)found//:/\\\\:}")
  found=("\${(@)found/$'\\t'/:}")
  _describe command found
}
compdef _kaikei kaikei
`,
  fish: `complete -c kaikei -f -a '(kaikei complete (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
} as const
