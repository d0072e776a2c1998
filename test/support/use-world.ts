import { afterAll, beforeAll, beforeEach } from 'vitest'
import {
  type NewMerchant,
  newWorld,
  type TestMerchant,
  type World,
  type WorldOptions,
} from './world.ts'

/** The world of the tests of a file. It is there when they run, and closes after everything else. */
export function useWorld(options?: WorldOptions): World {
  const world = {} as World
  beforeAll(async () => void Object.assign(world, await newWorld(options)))
  afterAll(() => world.close())
  return world
}

/** A merchant for each test, created later than the previous one. */
export function useMerchant(
  world: World,
  { passed_ms = 0, ...options }: NewMerchant & { readonly passed_ms?: number } = {},
): TestMerchant {
  const merchant = {} as TestMerchant
  beforeEach(async () => {
    world.clock.advance(passed_ms)
    Object.assign(merchant, await world.merchant(options))
  })
  return merchant
}
