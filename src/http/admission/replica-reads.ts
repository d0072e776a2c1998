import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { queryFields } from '../../api/routes/request-parts.ts'
import type { Service } from '../../service.ts'
import { replicaOf } from '../../store/open-store.ts'
import { kindOfRoute } from './admission-rules.ts'

/** Lets lists, searches and exports read from the replica, if there is one. */
export function addReplicaReads(app: FastifyInstance, service: Service): void {
  const replica = replicaOf(service.db)
  if (!replica) return
  const chooseReader = async (request: FastifyRequest) => {
    request.service = { ...request.service, db: await replica.findReader() }
  }
  app.addHook('onRoute', (route) => {
    if (readsFromReplica(route))
      route.preHandler = [chooseReader, ...[route.preHandler ?? []].flat()]
  })
}

/** A list that waits for something new needs to see it at once. */
function readsFromReplica(route: RouteOptions): boolean {
  const is_read = route.method === 'GET' || route.method === 'HEAD'
  return is_read && kindOfRoute(route) === 'list' && !('polling' in queryFields(route.schema))
}
