import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { complete, completion_scripts } from './complete.ts'

const words = (...typed: string[]) => complete(typed).map(({ word }) => word)

test.each([
  [['cha'], ['charges']],
  [
    ['charges', ''],
    ['list', 'show', 'explain'],
  ],
  [['charges', 'list', ''], expect.arrayContaining(['demo', '--status', '--help'])],
  [
    ['charges', 'list', 'demo', '--st'],
    ['--store', '--status'],
  ],
  [['charges', 'list', '--status', 's'], ['successful']],
  [['charges', 'list', '--limit', ''], []],
  [['charges', 'list', '--limit', '5', ''], expect.arrayContaining(['demo', '--json'])],
  [['charges', 'list', '--json', '--j'], []],
  [['trigger', 'refund'], ['refund_finished']],
  [
    ['help', 'vault', ''],
    ['rotate', 'retire'],
  ],
  [['serve', '--'], ['--help']],
  [['nonsense', ''], []],
])('%j is continued by %j', (typed, expected) => {
  expect(words(...typed)).toEqual(expected)
})

test('a word is explained: a group by its commands', () => {
  expect(complete(['va'])).toEqual([{ word: 'vault', meaning: 'rotate, retire' }])
  expect(complete(['doc'])).toEqual([
    { word: 'doctor', meaning: 'Check settings, database and data; report faults and what to do' },
  ])
})

const folder = mkdtempSync(join(tmpdir(), 'kaikei-complete-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Prints what it was asked for, in the place of the program. */
function fakeProgram(): string {
  const path = join(folder, 'kaikei')
  writeFileSync(path, '#!/bin/sh\nfor word; do printf "<%s>\\tmeaning: of it\\n" "$word"; done\n')
  chmodSync(path, 0o755)
  return `${folder}:${process.env.PATH}`
}

test('bash asks the program with all words, also empty ones', () => {
  const typed = 'COMP_WORDS=(kaikei charges list ""); COMP_CWORD=3; _kaikei'
  const script = `${completion_scripts.bash}\n${typed}; printf '%s\\n' "\${COMPREPLY[@]}"`
  const found = execFileSync('bash', ['--norc', '-c', script], {
    env: { PATH: fakeProgram() },
    encoding: 'utf8',
  })
  expect(found.split('\n')).toEqual(['<complete>', '<charges>', '<list>', '<>', ''])
})

test.for(['bash', 'zsh', 'fish'] as const)('%s accepts its script', (shell, context) => {
  const { error, stderr } = spawnSync(shell, ['-n'], {
    input: completion_scripts[shell],
    encoding: 'utf8',
  })
  if (error) context.skip(`${shell} is not installed here`)
  expect(stderr).toBe('')
})
