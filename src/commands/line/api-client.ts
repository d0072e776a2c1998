import { setTimeout as sleep } from 'node:timers/promises'
import { type DemoCredentials, readDemoCredentials } from '../../accounts/demo/demo-credentials.ts'
import type { Config } from '../../config.ts'
import { PlainError } from '../../core/api/plain-error.ts'

// biome-ignore lint/suspicious/noExplicitAny: responses of every shape
export type ApiResponse = any

/** An API client with the credentials of the demo store. */
export interface ApiClient {
  readonly credentials: DemoCredentials
  call(method: string, path: string, body?: object, signal?: AbortSignal): Promise<ApiResponse>
}

function refuseSilent(base_url: string): never {
  throw new PlainError(`The service at ${base_url} does not answer. Start the service first.`)
}

/** Fails when no service answers at the address. */
export async function responsesAt(base_url: string): Promise<void> {
  await fetch(`${base_url}/livez`).catch(() => refuseSilent(base_url))
}

export function newApiClient({ data_dir }: Config): ApiClient {
  const credentials = readDemoCredentials(data_dir)
  if (!credentials) {
    throw new PlainError(`There is no credentials.json in ${data_dir}. Start the service first.`)
  }
  const { base_url, jwt, secret } = credentials

  const call: ApiClient['call'] = async (method, path, body, signal) => {
    const response = await fetch(`${base_url}${path}`, {
      method,
      ...(signal ? { signal } : {}),
      headers: {
        authorization: `Bearer ${secret}.${jwt}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }).catch(() => refuseSilent(base_url))
    if (response.status === 429) {
      await sleep(Number(response.headers.get('retry-after') ?? 1) * 1000, undefined, { signal })
      return call(method, path, body, signal)
    }
    const received: ApiResponse = response.status === 204 ? null : await response.json()
    if (!response.ok) {
      const fields = received.errors.map(
        ({ field, reason }: Record<string, string>) => `${field}: ${reason}`,
      )
      throw new PlainError([`${method} ${path}: ${received.message}`, ...fields].join(' '))
    }
    return received
  }

  return { credentials, call }
}
