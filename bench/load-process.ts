// The load has a process of its own, so that what it costs is seen apart. It is told what to use (shops,
// stored charges) and what to run; tokens that one run makes wait here for the next one to charge them.
import { runLoad } from './load.ts'
import type { LoadAnswer, LoadOrder } from './load-client.ts'
import { newRequests } from './load-requests.ts'

const requests = newRequests()

async function carryOut(order: LoadOrder): Promise<LoadAnswer> {
  if (order.shops) requests.useShops(order.shops)
  if (order.stored) requests.useStored(order.stored)
  if (!order.run) return { state: requests.state() }
  const { kind, ...options } = order.run
  const result = await runLoad({ ...options, begin: requests.kinds[kind] })
  return { result, state: requests.state() }
}

process.on('message', (order: LoadOrder) => {
  carryOut(order).then(
    (answer) => process.send?.(answer),
    (error) => process.send?.({ error: String(error?.stack ?? error) }),
  )
})
process.on('disconnect', () => process.exit(0))
