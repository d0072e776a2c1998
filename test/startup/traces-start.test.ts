import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import {
  program,
  removeFolder,
  runCommand,
  startProcess,
  temporaryFolder,
} from '../support/fleet/running-process.ts'
import { newReceiver } from '../support/receiver/receiver.ts'

// The built program, with and without the packages that traces need.
const folder = temporaryFolder()
afterAll(() => removeFolder(folder))

test('traces reach the collector, at the latest when the service stops', async () => {
  const collector = await newReceiver()
  const OTEL_EXPORTER_OTLP_ENDPOINT = new URL(collector.url).origin
  const DATA_DIR = join(folder, 'data')
  const running = await startProcess({ DATA_DIR, OTEL_EXPORTER_OTLP_ENDPOINT })
  await fetch(`${running.url}/heartbeat`)
  expect(await running.stop()).toBe(0)
  await collector.close()
  expect(collector.received.map(({ text }) => text).join()).toContain('GET /heartbeat')
})

test('without the packages one sentence says what to do', async () => {
  const installed = join(folder, 'node_modules', 'kaikei')
  mkdirSync(installed, { recursive: true })
  cpSync(join(program, '..'), join(installed, 'dist'), { recursive: true })
  cpSync(join(program, '../../package.json'), join(installed, 'package.json'))
  symlinkSync(join(program, '../../node_modules/@node-rs'), join(folder, 'node_modules/@node-rs'))
  const environment = {
    DATA_DIR: join(folder, 'other'),
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
  }
  const { code, output } = await runCommand(['serve'], environment, join(installed, 'dist/cli.js'))
  expect(output).toMatch(
    /^kaikei: OTEL_EXPORTER_OTLP_ENDPOINT is set, but the packages for traces /,
  )
  expect(output.trim().split('\n')).toHaveLength(1)
  expect(code).toBe(1)
  expect((await runCommand(['--version'], environment)).code).toBe(0)
})
