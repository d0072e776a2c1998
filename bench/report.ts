import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Measurement } from './measurements.ts'

/** A figure with a minimum or maximum. */
export interface Bar {
  figure: string
  measured: number | null
  bar: string
  met: boolean
  note?: string
}

const round = (value: number, digits = 2) => Number(value.toFixed(digits))

export function atLeast(figure: string, measured: number | null, min: number, note = ''): Bar {
  const met = measured !== null && measured >= min
  return { figure, measured, bar: `at least ${min}`, met, note }
}

export function atMost(figure: string, measured: number | null, max: number, note = ''): Bar {
  const met = measured !== null && measured <= max
  return { figure, measured, bar: `at most ${round(max)}`, met, note }
}

/** Figures with the same ceilings share a table. */
export function printMeasurements(measurements: readonly Measurement[]): void {
  const kindOf = ({ to }: Measurement) => Object.keys(to).join()
  for (const kind of new Set(measurements.map(kindOf))) {
    printTable(measurements.filter((one) => kindOf(one) === kind))
  }
}

function printTable(measurements: readonly Measurement[]): void {
  console.table(
    measurements.map(({ scenario, connections, stored, to, cpu, memory_mb, ...result }) => ({
      scenario,
      stored,
      at: connections,
      'per s': result.per_second,
      ...Object.fromEntries(
        Object.entries(to).map(([name, ratio]) => [`to ${name}`, round(ratio)]),
      ),
      'p50 ms': round(result.p50_ms),
      'p99 ms': round(result.p99_ms),
      errors: result.errors,
      'CPU % service+db+load': `${cpu.service}+${cpu.database}+${cpu.load}`,
      'MB service+db': `${memory_mb.service}+${memory_mb.database}`,
    })),
  )
}

export function printBars(bars: readonly Bar[]): void {
  console.table(
    bars.map(({ figure, measured, bar, met, note }) => ({
      figure,
      measured: measured === null ? 'not measured' : round(measured),
      bar,
      '': met ? 'met' : 'missed',
      note: note ?? '',
    })),
  )
}

/** One file per run; the newest replaces the previous one. */
export function writeResults(name: string, results: object): void {
  const folder = fileURLToPath(new URL('./results/', import.meta.url))
  mkdirSync(folder, { recursive: true })
  const { node, platform, arch } = { ...process, node: process.version }
  const machine = { node, platform, arch, cores: cpus().length, model: cpus()[0]?.model }
  const content = { measured_on: new Date().toISOString(), machine, ...results }
  writeFileSync(`${folder}${name}.json`, `${JSON.stringify(content, null, 2)}\n`)
}
