import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { LoadOptions, LoadResult } from './load.ts'
import type { Kind, Shop, StoredCharge } from './load-requests.ts'

export type LoadRun = Omit<LoadOptions, 'begin'> & { kind: Kind }

export interface LoadOrder {
  /** Sets the shops to use; tokens of other shops are dropped. */
  shops?: Shop[]
  stored?: StoredCharge[]
  run?: LoadRun
}

interface LoadState {
  /** Recently created tokens that are ready to be charged. */
  tokens: number
  /** Charges that the quota of the shops still allows. */
  charges_left: number
  credentials: number
}

export interface LoadResponse {
  error?: string
  result?: LoadResult
  state?: LoadState
}

export interface Load {
  pid: number
  use(what: Pick<LoadOrder, 'shops' | 'stored'>): Promise<void>
  state(): Promise<LoadState>
  run(run: LoadRun): Promise<LoadResult>
  stop(): void
}

function ask(child: ChildProcess, order: LoadOrder): Promise<LoadResponse> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error('The load process ended.'))
    child.once('exit', ended)
    child.once('message', (response: LoadResponse) => {
      child.off('exit', ended)
      if (response.error) reject(new Error(response.error))
      else resolve(response)
    })
    child.send(order)
  })
}

/** Starts the process that generates the load. It runs one command at a time. */
export function startLoad(): Load {
  const file = fileURLToPath(new URL('./load-process.ts', import.meta.url))
  const child = fork(file, { execArgv: ['--import', 'tsx'] })
  return {
    pid: child.pid ?? 0,
    use: async (what) => {
      await ask(child, what)
    },
    state: async () => {
      const { state } = await ask(child, {})
      if (!state) throw new Error('The load process did not tell its state.')
      return state
    },
    run: async (run) => {
      const { result } = await ask(child, { run })
      if (!result) throw new Error('The load process gave no result.')
      return result
    },
    stop: () => child.kill(),
  }
}
