import { expect, test } from 'vitest'
import { missedBars } from '../../lab/checks/bars.ts'

const switchover = { name: 'switchover', bar_s: 3 }
const unbounded = { name: 'slow disk', bar_s: null }

test('a gap above its bar is named; one without a bar never is', () => {
  const rounds = [
    { fault: switchover, gap_s: 2.1 },
    { fault: switchover, gap_s: 3.4 },
    { fault: unbounded, gap_s: 99 },
  ]
  expect(missedBars(rounds)).toEqual([
    'The bar is missed: switchover stopped writes for 3.4 s, not 3 s.',
  ])
  expect(missedBars(rounds.slice(0, 1))).toEqual([])
  expect(missedBars([])).toEqual([])
})
