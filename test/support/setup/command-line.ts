import { runCommandLine } from '../../../src/commands/run-command-line.ts'
import { readConfig } from '../../../src/config.ts'
import { program } from '../fleet/running-process.ts'

export interface CommandRun {
  code: number | null
  output: string
  errors: string
}

interface Screen {
  is_terminal?: boolean
  columns?: number
  /** Receives output as it is written. */
  onOutput?(output: string): void
  stopped?: AbortSignal
}

/** Runs a command line in this process: most commands need no process of their own. */
export async function runWords(
  words: readonly string[],
  environment: Record<string, string>,
  { is_terminal = false, columns = 120, onOutput, stopped }: Screen = {},
): Promise<CommandRun> {
  const run: CommandRun = { code: null, output: '', errors: '' }
  run.code = await runCommandLine(words, {
    config: readConfig(environment),
    environment,
    program,
    version: '0.0.0',
    called_as: 'kaikei',
    terminal: {
      is_terminal,
      columns,
      has_color: false,
      shows_progress: is_terminal,
      write: (text) => {
        run.output += text
        onOutput?.(run.output)
      },
      writeError: (text) => {
        run.errors += text
      },
    },
    untilStopped: () => stopped ?? new AbortController().signal,
  })
  return run
}
