import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { newLogFile, rotatedPath } from './log-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'kaikei-log-file-'))
afterAll(() => rmSync(folder, { recursive: true }))

const max_bytes = 1000
const line = (number: number) => `{"line":${number},"text":"会計"}\n`
const contentOf = (path: string) => readFileSync(path, 'utf8')

/** Two processes write to one file. */
async function write(path: string, count: number): Promise<void> {
  const files = [newLogFile(path, max_bytes), newLogFile(path, max_bytes)]
  for (let number = 1; number <= count; number += 1) {
    for (const file of files) file.write(line(number))
    await vi.waitFor(() => expect(contentOf(path)).toContain(line(number)))
  }
}

test('lines of several processes are whole, in a file that only its owner can read', async () => {
  const path = join(folder, 'one.log')
  await write(path, 2)
  await vi.waitFor(() => expect(contentOf(path)).toHaveLength(4 * line(1).length))
  expect(contentOf(path).split('\n').sort()).toEqual(
    [line(1), line(1), line(2), line(2), '\n'].map((one) => one.slice(0, -1)).sort(),
  )
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('a full file is rotated, and the previous rotated file is deleted', async () => {
  const path = join(folder, 'two.log')
  const file = newLogFile(path, max_bytes)
  for (const number of [1, 2, 3]) {
    file.write(line(number).repeat(50))
    await vi.waitFor(() => expect(contentOf(path)).toContain(line(number)))
  }
  expect(contentOf(path)).toBe(line(3).repeat(50))
  expect(contentOf(rotatedPath(path))).toBe(line(2).repeat(50))
  expect(statSync(rotatedPath(path)).mode & 0o777).toBe(0o600)
})

test('a file that cannot be written loses its lines and stops nothing', async () => {
  const path = join(folder, 'missing', 'three.log')
  const file = newLogFile(path)
  file.write(line(1))
  await vi.waitFor(() => expect(() => statSync(path)).toThrow())
  file.write(line(2).repeat(100_000))
  file.write(line(2))
})
