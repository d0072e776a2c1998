import { expect, test } from 'vitest'
import { newTurns, type Turn } from './turns.ts'

/** Records which turns begin, in order. */
function newOffice(total: number) {
  const turns = newTurns(total)
  const begun: string[] = []
  const ask = (owner: string): Turn => {
    const turn = { owner, start: () => void begun.push(owner) }
    turns.wait(turn)
    return turn
  }
  return { begun, ask, end: turns.end }
}

test('an owner alone uses all turns, and the rest waits', () => {
  const { begun, ask } = newOffice(4)
  for (let index = 0; index < 10; index += 1) ask('a')
  expect(begun).toEqual(['a', 'a', 'a', 'a'])
})

test('a newcomer does not wait for an owner that has taken all turns', () => {
  const { begun, ask } = newOffice(4)
  for (let index = 0; index < 100; index += 1) ask('a')
  ask('b')
  expect(begun).toEqual(['a', 'a', 'a', 'a', 'b'])
})

test('waiting owners are served in rotation, however many requests each has', () => {
  const { begun, ask, end } = newOffice(1)
  const turns = [ask('a')]
  ask('z')
  for (const owner of ['a', 'a', 'a', 'a', 'b', 'b', 'c']) turns.push(ask(owner))
  expect(begun).toEqual(['a', 'z'])
  while (turns.length > 0) {
    const at = turns.findIndex(({ start }) => !start)
    end(...(turns.splice(at, 1) as [Turn]))
  }
  expect(begun.slice(2)).toEqual(['a', 'b', 'c', 'a', 'b', 'a', 'a'])
})

test('a request that gives up while waiting never begins and takes no turn', () => {
  const { begun, ask, end } = newOffice(1)
  const first = ask('a')
  const second = ask('a')
  ask('a')
  end(second)
  end(first)
  expect(begun).toEqual(['a', 'a'])
})

test('work that ends while it begins gives its turn back', () => {
  const turns = newTurns(1)
  for (let count = 0; count < 10; count += 1) {
    const turn: Turn = { owner: 'a', start: () => turns.end(turn) }
    turns.wait(turn)
    expect(turn.start).toBe(null)
  }
})
