import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contrast, readableOn, textOn } from './contrast.ts'

const color = fc
  .integer({ min: 0, max: 0xffffff })
  .map((number) => `#${number.toString(16).padStart(6, '0')}`)

test('contrast is that of the standard', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

test('a text can be read on every color, and in every color on every background', () => {
  fc.assert(
    fc.property(color, color, (one, other) => {
      expect(contrast(one, textOn(one))).toBeGreaterThanOrEqual(4.5)
      expect(contrast(readableOn(one, other), one)).toBeGreaterThanOrEqual(4.5)
    }),
  )
})

test('a color that can be read stays as it is', () => {
  expect(readableOn('#ffffff', '#1f5eff')).toBe('#1f5eff')
  expect(readableOn('#ffffff', '#ffff00')).not.toBe('#ffff00')
})
