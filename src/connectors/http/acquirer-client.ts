import type { CallLimit } from '../../providers/provider.ts'
import { type Reply, sendOnce } from '../send-once.ts'
import type { AcquirerAddress } from './acquirer-settings.ts'
import { signCall } from './messages/sign-message.ts'

export interface AcquirerCall {
  readonly method: 'GET' | 'POST'
  /** Below the base URL, such as `/v1/capture`. */
  readonly path: string
  /** Secrets are revealed in here, and nowhere else. */
  writeBody(): string
  /** The name of the operation, which is the same on every repetition. */
  readonly reference: string | null
}

/** Sends a signed call. It never rejects, and nothing of the body is in what it returns. */
export async function callAcquirer(
  { origin, prefix, key }: AcquirerAddress,
  { method, path, writeBody, reference }: AcquirerCall,
  now_ms: number,
  limit: CallLimit | undefined,
): Promise<Reply> {
  const whole_path = prefix + path
  const body = method === 'GET' ? '' : writeBody()
  const headers: Record<string, string> = {
    accept: 'application/json',
    ...signCall(key, { method, path: whole_path, body }, now_ms),
  }
  if (method === 'POST') headers['content-type'] = 'application/json'
  if (reference !== null) headers['idempotency-key'] = reference
  if (limit?.traceparent !== undefined) headers.traceparent = limit.traceparent
  const request = { origin, path: whole_path, method, headers, body: body === '' ? null : body }
  return sendOnce(request, limit?.signal)
}
