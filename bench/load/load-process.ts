// The load has its own process, so that its cost is measured separately. It receives what to use
// (shops, stored charges) and what to run; tokens that one run creates stay here for the next run to
// charge.
import { runLoad } from './load.ts'
import type { LoadOrder, LoadResponse } from './load-client.ts'
import { newRequests } from './load-requests.ts'

const requests = newRequests()

async function carryOut(order: LoadOrder): Promise<LoadResponse> {
  if (order.shops) requests.useShops(order.shops)
  if (order.stored) requests.useStored(order.stored)
  if (!order.run) return { state: requests.state() }
  const { kind, ...options } = order.run
  const result = await runLoad({ ...options, begin: requests.kinds[kind] })
  return { result, state: requests.state() }
}

process.on('message', (order: LoadOrder) => {
  carryOut(order).then(
    (response) => process.send?.(response),
    (error) => process.send?.({ error: String(error?.stack ?? error) }),
  )
})
process.on('disconnect', () => process.exit(0))
