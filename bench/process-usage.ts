import { readdirSync, readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'

const ticks_per_second = 100

interface Stat {
  parent: number
  own_ticks: number
  /** The processor time of ended children. */
  past_ticks: number
}

function readStat(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const number = (at: number) => Number(fields[at])
    return {
      parent: number(1),
      own_ticks: number(11) + number(12),
      past_ticks: number(13) + number(14),
    }
  } catch {
    return null
  }
}

/** A process and all its descendants, except those of another tree. */
function treeOf(root: number, except: number): Map<number, Stat> {
  const all = new Map<number, Stat>()
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  for (const pid of pids.map(Number)) {
    const stat = readStat(pid)
    if (stat) all.set(pid, stat)
  }
  const tree = new Map<number, Stat>()
  const add = (pid: number) => {
    const stat = all.get(pid)
    if (!stat || pid === except) return
    tree.set(pid, stat)
    for (const [child, { parent }] of all) if (parent === pid) add(child)
  }
  add(root)
  return tree
}

function cpuSeconds(root: number, except: number): number {
  let ticks = 0
  for (const stat of treeOf(root, except).values()) ticks += stat.own_ticks + stat.past_ticks
  return ticks / ticks_per_second
}

/** Shared pages are counted once, where the system reports them. */
function memoryOf(pid: number): number {
  const sources = [
    [`/proc/${pid}/smaps_rollup`, /^Pss:\s+(\d+) kB/m],
    [`/proc/${pid}/status`, /^VmRSS:\s+(\d+) kB/m],
  ] as const
  for (const [file, pattern] of sources) {
    try {
      const kilobytes = pattern.exec(readFileSync(file, 'utf8'))?.[1]
      if (kilobytes) return Number(kilobytes) / 1024
    } catch {
      // Try the next source, or none: the process has ended.
    }
  }
  return 0
}

export function memoryMb(root: number, except = 0): number {
  const pids = [...treeOf(root, except).keys()]
  return Math.round(pids.reduce((sum, pid) => sum + memoryOf(pid), 0))
}

/** Percent of one core, by name. */
export type Usage = Record<string, number>

/** Measures process trees, each without those of the others, and reports their usage until asked. */
export function watchCpu(roots: Record<string, { pid: number; except?: number }>): () => Usage {
  if (process.platform !== 'linux') return () => ({})
  const begun_ms = performance.now()
  const seconds = () =>
    Object.entries(roots).map(
      ([name, { pid, except = 0 }]) => [name, cpuSeconds(pid, except)] as const,
    )
  const before = new Map(seconds())
  return () => {
    const passed = (performance.now() - begun_ms) / 1000
    return Object.fromEntries(
      seconds().map(([name, now]) => [
        name,
        Math.round(((now - (before.get(name) ?? 0)) / passed) * 100),
      ]),
    )
  }
}
