import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A shell into which the blocks of one document are pasted, one after the other. */
export interface DocumentShell {
  /** Runs a block to its end and returns what it prints; rejects when a command of it fails. */
  run(text: string): Promise<string>
  /** Runs a block whose last request the service refuses. */
  runRefused(text: string): Promise<string>
  /** Starts a block that does not end; the function returns what it has printed. */
  start(text: string): Promise<() => string>
  close(): Promise<void>
}

/**
 * A refused request fails its block, like every other command that fails; the message shows the response. A
 * command of `npm run -s` is run without npm, which takes as long as the command itself.
 */
function preamble(scripts: Record<string, string>): string {
  const table = Object.entries(scripts).map(([name, script]) => `[${name}]='${script}'`)
  return `set -eu -o pipefail
curl() { command curl --fail-with-body --show-error "$@" | tee -a /dev/stderr; }
declare -A scripts=(${table.join(' ')})
npm() {
  [ "$1 $2" = 'run -s' ] || return 1
  local script=\${scripts[$3]}
  shift 3
  [ "\${1-}" != -- ] || shift
  $script "$@"
}
`
}

/** Opens a shell in a folder. Blocks and what they print are files in its `data`. */
export function openShell(folder: string, environment: Record<string, string>): DocumentShell {
  const shell = spawn('bash', { cwd: folder, env: environment, stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface(shell.stdout)[Symbol.asyncIterator]()
  const exited = new Promise((resolve) => shell.once('close', resolve))
  const groups: number[] = []
  let count = 0
  // A shell that has ended takes no more; its end is seen by what it prints.
  shell.stdin.on('error', () => {})
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  shell.stdin.write(preamble(scripts))

  /** Writes the block to a file, has the shell do something with it and awaits its line. */
  async function paste(text: string, command: (path: string) => string) {
    count += 1
    const path = join(folder, 'data', `block-${count}`)
    writeFileSync(path, `${text}\n`)
    shell.stdin.write(`${command(path)}\n`)
    const { value, done } = await lines.next()
    const printed = () => readFileSync(`${path}.out`, 'utf8')
    if (done || value === 'wrong') {
      const what = done ? 'It fails' : 'It does not fail'
      throw new Error(`${what}:\n${text}\n\n${readFileSync(`${path}.err`, 'utf8')}`)
    }
    return { printed, line: value }
  }

  const sourced = (path: string) => `source ${path} < /dev/null > ${path}.out 2>> ${path}.err`

  return {
    run: async (text) => (await paste(text, (path) => `${sourced(path)}\necho done`)).printed(),
    runRefused: async (text) => {
      const command = (path: string) => `if ${sourced(path)}; then echo wrong; else echo done; fi`
      return (await paste(text, command)).printed()
    },
    start: async (text) => {
      // A process group of its own, so that all of it can be ended.
      const { printed, line } = await paste(
        text,
        (path) => `set -m; (${sourced(path)}) & set +m; echo $!`,
      )
      groups.push(Number(line))
      return printed
    },
    close: async () => {
      for (const group of groups) endGroup(group)
      shell.stdin.end('wait\n')
      await exited
    },
  }
}

function endGroup(group: number): void {
  try {
    process.kill(-group, 'SIGTERM')
  } catch {
    // It has ended by itself; its output shows the missing part.
  }
}
