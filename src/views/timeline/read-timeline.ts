import type { Caller } from '../../core/access/caller.ts'
import { mayRead } from '../../core/access/rights.ts'
import { type ChargePath, getCharge } from '../../payments/charges/charge.ts'
import type { Service } from '../../service.ts'
import { type Entry, kinds_in_order } from './timeline-entry.ts'
import {
  auditEntries,
  checkoutEntries,
  deliveryEntries,
  depositEntries,
  eventEntries,
  ledgerEntries,
  max_of_source,
  providerEntries,
  readResources,
  requestEntries,
  routeEntries,
} from './timeline-sources.ts'

const max_items = 1000

/** Everything that happened to a charge. Each source is read by its own index, up to a limit. */
export async function readTimeline(service: Service, caller: Caller, path: ChargePath) {
  const charge = await getCharge(service, caller, path)
  const resources = await readResources(service, charge)
  const { events, entries: of_events } = await eventEntries(service, charge, resources)
  const sources = await Promise.all([
    checkoutEntries(service, charge),
    requestEntries(service, charge, resources),
    auditEntries(service, charge, resources),
    providerEntries(service, charge, resources),
    ledgerEntries(service, charge),
    depositEntries(service, charge),
    deliveryEntries(service, charge, events, mayRead(caller, 'webhooks')),
  ])
  const entries = [resources.entries, routeEntries(charge), of_events, ...sources]
  const items = entries.flat().sort(inOrder)
  const is_cut = items.length > max_items || entries.some((some) => some.length >= max_of_source)
  return { items: items.slice(0, max_items).map(showEntry), has_more: is_cut }
}

function inOrder(a: Entry, b: Entry): number {
  const between_ms = a.on.getTime() - b.on.getTime()
  return between_ms || kinds_in_order.indexOf(a.kind) - kinds_in_order.indexOf(b.kind)
}

function showEntry({ on, actor, kind, title, duration_ms, details }: Entry) {
  return { on: on.toISOString(), actor, kind, title, duration_ms, details }
}
