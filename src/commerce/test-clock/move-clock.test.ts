import { beforeAll, expect, test } from 'vitest'
import { type Payments, payments } from '../../../test/support/payments.ts'
import { useWorld } from '../../../test/support/use-world.ts'
import { day_ms } from '../../core/time/clock.ts'

const world = useWorld()
let pay: Payments

beforeAll(async () => {
  pay = payments(world, await world.merchant())
})

test('a day forward is exactly a day, however long the move takes', async () => {
  // A charge that expires on the way makes the clock stop there.
  const data = {
    customer_name: 'Taro Yamada',
    phone_number: { country_code: '81', local_number: '9012345678' },
    convenience_store: 'lawson',
    expiration_period: 'PT2H',
  }
  await pay.waiting('konbini', data)
  const { runDue } = world.service
  Object.assign(world.service, {
    runDue: async (...given: Parameters<typeof runDue>) => {
      world.clock.advance(700)
      return runDue(...given)
    },
  })
  for (const days of [1, 2]) {
    const { body } = await pay.post('/test/clock', { advance: 'P1D' })
    expect(body.ahead_ms).toBe(days * day_ms)
  }
})
