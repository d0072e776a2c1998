import type { Config } from '../../config.ts'

/** The output of a command, with its properties. */
export interface Terminal {
  /** Standard output is a terminal: a person reads it. */
  readonly is_terminal: boolean
  readonly columns: number
  readonly has_color: boolean
  /** Standard error is a terminal: long work shows how far it is. */
  readonly shows_progress: boolean
  write(text: string): void
  writeError(text: string): void
}

/** The environment of a command besides its arguments. */
export interface Context {
  /** The settings. Reading them fails when one is wrong; commands that need none do not read them. */
  readonly config: Config
  readonly terminal: Terminal
  readonly environment: NodeJS.ProcessEnv
  /** The file of this program. */
  readonly program: string
  readonly version: string
  /** How the person starts this program, for messages: `npx kaikei`. */
  readonly called_as: string
  /** Aborts at SIGINT or SIGTERM; from then on these signals do not end the process. */
  untilStopped(): AbortSignal
}

export interface Progress {
  show(text: string): void
  end(): void
}

const clear_line = '\r\u001b[K'

/** One line on standard error that is replaced as work progresses; nothing where no person sees it. */
export function newProgress({ shows_progress, writeError }: Terminal): Progress {
  if (!shows_progress) return { show: () => {}, end: () => {} }
  return {
    show: (text) => writeError(`${clear_line}${text}`),
    end: () => writeError(clear_line),
  }
}
