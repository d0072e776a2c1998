import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amountLeft, type Plan, paymentAmount, paymentCount } from './payment-plan.ts'

// Amounts of plans: for any numbers, the sum of all payments is exactly the total.

const no_plan = { initial_amount: null, subscription_plan: null, installment_plan: null }
const cycles = (fixed_cycles: number) => ({ plan_type: 'fixed_cycles', fixed_cycles }) as const
const each = (fixed_cycle_amount: number) =>
  ({ plan_type: 'fixed_cycle_amount', fixed_cycle_amount }) as const

function amounts(plan: Plan, most = 1000): number[] {
  const count = Math.min(paymentCount(plan) ?? most, most)
  return Array.from({ length: count }, (_, number) => paymentAmount(plan, number) ?? Number.NaN)
}

test.each([
  [
    { amount: 200_000, initial_amount: 10_000, subscription_plan: cycles(3) },
    [10_000, 95_000, 95_000],
  ],
  [
    { amount: 12_000, initial_amount: 1000, subscription_plan: each(5000) },
    [1000, 5000, 5000, 1000],
  ],
  [{ amount: 100, subscription_plan: cycles(3) }, [33, 33, 34]],
  [{ amount: 100, subscription_plan: each(30) }, [30, 30, 30, 10]],
  [{ amount: 90, subscription_plan: each(30) }, [30, 30, 30]],
  [{ amount: 5000, installment_plan: cycles(12) }, [5000]],
  [{ amount: 5000, installment_plan: { plan_type: 'revolving' } as const }, [5000]],
])('%o is paid as %o', (plan, expected) => {
  expect(amounts({ ...no_plan, ...plan })).toEqual(expected)
})

test('without a plan there is no end, and an initial amount comes first', () => {
  const plan = { ...no_plan, amount: 1000, initial_amount: 300 }
  expect(paymentCount(plan)).toBeNull()
  expect(amounts(plan, 4)).toEqual([300, 1000, 1000, 1000])
  expect(paymentAmount(plan, 123_456)).toBe(1000)
  expect(amountLeft(plan, 3)).toBeNull()
})

const anyPlan = fc
  .record({
    amount: fc.integer({ min: 2, max: 999_999_999_999 }),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
    has_initial: fc.boolean(),
    count: fc.integer({ min: 2, max: 200 }),
    by_count: fc.boolean(),
  })
  .map(({ amount, part, has_initial, count, by_count }): Plan => {
    const initial_amount = has_initial ? Math.max(1, Math.floor(amount * part * 0.9)) : null
    const rest = amount - (initial_amount ?? 0)
    const subscription_plan = by_count ? cycles(count) : each(Math.max(1, Math.ceil(rest / count)))
    return { amount, initial_amount, subscription_plan, installment_plan: null }
  })
  .filter(({ amount, initial_amount }) => amount - (initial_amount ?? 0) >= 200)

test('10,000 random plans sum exactly, and what is left is what is not paid yet', () => {
  fc.assert(
    fc.property(anyPlan, fc.nat(250), (plan, paid) => {
      const list = amounts(plan)
      expect(list.length).toBe(paymentCount(plan))
      expect(list.every((amount) => Number.isSafeInteger(amount) && amount > 0)).toBe(true)
      expect(list.reduce((sum, amount) => sum + amount, 0)).toBe(plan.amount)
      const left = list.slice(paid).reduce((sum, amount) => sum + amount, 0)
      expect(amountLeft(plan, paid)).toBe(left)
      expect(paymentAmount(plan, list.length)).toBeNull()
      expect(paymentAmount(plan, -1)).toBeNull()
    }),
    { numRuns: 10_000 },
  )
})
