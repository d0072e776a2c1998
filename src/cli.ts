#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import module from 'node:module'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Context, Terminal } from './commands/line/terminal.ts'
import { runCommandLine } from './commands/run-command-line.ts'
import { readConfig } from './config.ts'
import { stopWithParent } from './core/end-process.ts'

/**
 * Newer versions of Node keep compiled code for the next start. It is kept beside the packages: in a
 * folder that others can write to, it could be replaced.
 */
const { enableCompileCache } = module as { enableCompileCache?(folder: string): void }
enableCompileCache?.(fileURLToPath(new URL('../node_modules/.cache/kaikei', import.meta.url)))

const { stdout, stderr, env: environment } = process

const terminal: Terminal = {
  is_terminal: stdout.isTTY === true,
  columns: stdout.columns ?? 80,
  has_color: stdout.isTTY === true && !environment.NO_COLOR,
  shows_progress: stderr.isTTY === true,
  write: (text) => void stdout.write(text),
  writeError: (text) => void stderr.write(text),
}

/** From a clone by npm; from an installed package by npx; else by its own name. */
function calledAs(started = process.argv[1] ?? ''): string {
  if (['run.mjs', 'cli.ts'].includes(basename(started))) return 'npm run -s kaikei --'
  return started.includes('node_modules') ? 'npx kaikei' : 'kaikei'
}

/** A reader that has read enough, such as `head`, ends a command like a signal. */
function untilStopped(): AbortSignal {
  const stopping = new AbortController()
  stdout.on('error', () => stopping.abort())
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  return stopping.signal
}

const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string }

const context: Context = {
  get config() {
    return readConfig(environment)
  },
  terminal,
  environment,
  program: fileURLToPath(import.meta.url),
  version,
  called_as: calledAs(),
  untilStopped,
}

// A closed terminal, or a full disk below a log file, is no reason for the service to exit.
for (const stream of [stdout, stderr]) stream.on('error', () => {})
if (environment.npm_lifecycle_event === 'npx' && process.platform !== 'win32') stopWithParent()

void runCommandLine(process.argv.slice(2), context).then((code) => {
  if (code !== null) process.exitCode = code
})
