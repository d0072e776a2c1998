import { rmSync } from 'node:fs'
import { temporaryFolder } from '../support/fleet/running-process.ts'
import { newWorld, type World } from '../support/world.ts'

export interface Machines {
  readonly nodes: readonly [World, World, World]
  close(): Promise<void>
}

/** Three machines on one database: each has its own folder, and only what the settings name is shared. */
export async function startMachines(settings: Record<string, string>): Promise<Machines> {
  const folders = [temporaryFolder(), temporaryFolder()]
  const first = await newWorld({ settings, machines: 3 })
  const [second, third] = [
    await first.another({ DATA_DIR: folders[0] ?? '' }),
    await first.another({ DATA_DIR: folders[1] ?? '' }),
  ]
  return {
    nodes: [first, second, third],
    close: async () => {
      await first.close()
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    },
  }
}
