import type { Run } from './command-table.ts'
import { completion_scripts } from './complete.ts'
import { commandHelp, groupHelp, overview } from './help.ts'
import { findCommand, verbsOf } from './read-arguments.ts'

export const explainCommands: Run<'help'> = async ({ terminal, version, called_as }, words) => {
  const [first] = words
  if (first === undefined) terminal.write(overview(version, called_as))
  else if (words.length === 1 && verbsOf(first).length > 0) terminal.write(groupHelp(first))
  else terminal.write(commandHelp(findCommand(words).name))
  return 0
}

export const printCompletion: Run<'completion'> = async ({ terminal }, [shell]) => {
  terminal.write(completion_scripts[shell as keyof typeof completion_scripts])
  return 0
}
