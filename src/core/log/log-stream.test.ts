import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { newLogStream } from './log-stream.ts'

test('every line arrives once and in order, in writes of whole lines', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kaikei-log-'))
  const path = join(folder, 'log')
  const file = openSync(path, 'a')
  const stream = newLogStream(file, 100)
  const lines = Array.from({ length: 2000 }, (_, index) => `{"line":${index},"text":"会計"}\n`)
  for (const line of lines) stream.write(line)
  await vi.waitFor(() => expect(readFileSync(path, 'utf8')).toBe(lines.join('')))
  closeSync(file)
  rmSync(folder, { recursive: true })
})
