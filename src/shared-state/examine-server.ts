import type { Config } from '../config.ts'
import { connect, persistence_advice, persistenceOf } from './shared-server.ts'

/** Faults of the server of SHARED_STATE_URL, one sentence each. */
export async function sharedServerFaults({ shared_state_url }: Config): Promise<string[]> {
  if (!shared_state_url) return []
  const client = await connect(shared_state_url, []).catch((error: Error) => error)
  if (client instanceof Error) {
    return [
      `The server of SHARED_STATE_URL cannot be used: ${client.message} ` +
        'Until it can, each machine counts its share of every limit.',
    ]
  }
  const found = await persistenceOf(client)
  client.disconnect()
  return found ? [`The server of SHARED_STATE_URL has ${found}: ${persistence_advice}`] : []
}
