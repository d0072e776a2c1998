import fc from 'fast-check'
import { expect, test } from 'vitest'
import { feeOf } from './fees.ts'

const settings = {
  percent_fee: 3.6,
  flat_fees: [
    { amount: 30, currency: 'JPY' },
    { amount: 25, currency: 'usd' },
  ],
  card_brand_percent_fees: { visa: 2.95, union_pay: 5, jcb: null, mastercard: 0 },
}
const unset = { percent_fee: null, flat_fees: null, card_brand_percent_fees: { visa: null } }

test.each([
  ['the percentage of the brand, and the flat fee', settings, 'visa', 10_000, 'JPY', 325],
  ['a brand without one has the general percentage', settings, 'jcb', 10_000, 'JPY', 390],
  ['a brand of percentage zero pays only the flat fee', settings, 'mastercard', 10_000, 'JPY', 30],
  ['the configuration spells unionpay union_pay', settings, 'unionpay', 10_000, 'JPY', 530],
  ['an unknown brand has the general percentage', settings, 'unknown', 10_000, 'JPY', 390],
  ['so has a payment without a brand', settings, null, 10_000, 'JPY', 390],
  ['names of every object are no brands', settings, 'constructor', 10_000, 'JPY', 390],
  ['no flat fee in a currency that has none', settings, 'visa', 10_000, 'EUR', 295],
  ['currencies are compared without case', settings, 'visa', 10_000, 'USD', 320],
  ['exactly half a unit goes up: 2.95 % of 1000 are 29.5', settings, 'visa', 1000, 'EUR', 30],
  ['less than half goes down: 2.95 % of 10 are 0.295', settings, 'visa', 10, 'EUR', 0],
  ['never above the sale', settings, 'visa', 20, 'JPY', 20],
  ['nothing of nothing', settings, 'visa', 0, 'JPY', 0],
  ['null is no fee', unset, 'visa', 10_000, 'JPY', 0],
  ['nor is what is not there', {}, 'visa', 10_000, 'JPY', 0],
  ['all of it at 100 %', { percent_fee: 100 }, null, 999_999_999_999, 'JPY', 999_999_999_999],
])('%s', (_, configuration, brand, amount, currency, fee) => {
  expect(feeOf(configuration, { brand, amount, currency })).toBe(fee)
})

const hundredths = fc.option(fc.integer({ min: 0, max: 10_000 }))

test('a fee is a whole number from nothing to the sale, and within half a unit of exact', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 999_999_999_999 }),
      hundredths,
      hundredths,
      fc.option(fc.integer({ min: 0, max: 1_000_000 })),
      (amount, general, of_visa, flat) => {
        const configuration = {
          percent_fee: general === null ? null : general / 100,
          card_brand_percent_fees: { visa: of_visa === null ? null : of_visa / 100 },
          flat_fees: flat === null ? null : [{ amount: flat, currency: 'JPY' }],
        }
        const fee = feeOf(configuration, { brand: 'visa', amount, currency: 'JPY' })
        expect(Number.isSafeInteger(fee) && fee >= 0 && fee <= amount).toBe(true)
        // In twenty-thousandths of a unit, so that half a unit is a whole number.
        const exact = 2n * BigInt(amount) * BigInt(of_visa ?? general ?? 0)
        const uncapped = exact + 20_000n * BigInt(flat ?? 0)
        const off = 20_000n * BigInt(fee) - uncapped
        if (fee < amount) expect(off > -10_000n && off <= 10_000n).toBe(true)
        else expect(uncapped >= 20_000n * BigInt(amount) - 10_000n).toBe(true)
      },
    ),
    { numRuns: 2000 },
  )
})
