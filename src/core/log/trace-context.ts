import { randomBytes } from 'node:crypto'

/** The parent of a span, from the W3C header `traceparent`. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly trace_id: string
  /** 16 hexadecimal digits. */
  readonly span_id: string
  readonly sampled: boolean
}

const traceparent =
  /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-.*)?$/

/** The context in a header; null: there is none that can be used. */
export function readTraceparent(header: unknown): TraceContext | null {
  const [, trace_id, span_id, flags] =
    (typeof header === 'string' && traceparent.exec(header)) || []
  if (!trace_id || !span_id || !flags) return null
  return { trace_id, span_id, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export function writeTraceparent({ trace_id, span_id, sampled }: TraceContext): string {
  return `00-${trace_id}-${span_id}-${sampled ? '01' : '00'}`
}

/**
 * The span of the request that created a resource, in a trace of its own. An id has as many bits as a
 * trace id, and its second half is random: whatever is done for the resource later, by any process, finds the
 * trace without storing anything.
 */
export function contextOfId(id: string): TraceContext {
  const digits = id.replaceAll('-', '')
  return { trace_id: digits, span_id: digits.slice(16), sampled: true }
}

/** A new span of the same trace. */
export function childOf({ trace_id, sampled }: TraceContext): TraceContext {
  return { trace_id, span_id: randomBytes(8).toString('hex'), sampled }
}
