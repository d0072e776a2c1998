import { hostname } from 'node:os'
import type { Config } from '../config.ts'
import { PlainError } from '../core/api/plain-error.ts'
import { contextOfId, type TraceContext } from '../core/log/trace-context.ts'
import type { Signals } from '../store/signals.ts'

/** Spans of what has ended. Without a collector there is none of this: see `Observers`. */
export interface Traces {
  /** The span of the request that created a resource: later work for the resource belongs to it. */
  contextOf(resource_id: string): TraceContext
  /** The caller has a trace: later work for the resource belongs to that one, in every process. */
  continueTrace(resource_id: string, caller: TraceContext): void
  record(span: EndedSpan): void
  /** Learns from the other processes which traces are continued. */
  follow(signals: Signals): void
  /** Sends what was recorded. */
  close(): Promise<void>
}

export interface EndedSpan {
  readonly name: string
  readonly kind: 'server' | 'client'
  readonly context: TraceContext
  /** Null: the trace begins here. */
  readonly parent_span_id: string | null
  readonly ended_ms: number
  readonly duration_ms: number
  readonly has_failed: boolean
  readonly attributes: Readonly<Record<string, string | number | undefined>>
}

/** Resources whose caller has a trace; the oldest are forgotten, and continue in a trace of their own. */
const max_continued = 10_000
const export_timeout_ms = 5000

/** Loaded only where there is a collector: they are many modules, and optional. */
function loadPackages() {
  return Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
}

/** Opens the exporter of traces; null: no collector is named. */
export async function openTraces(config: Config): Promise<Traces | null> {
  const { otel_exporter_otlp_endpoint: endpoint, otel_exporter_otlp_headers: headers } = config
  if (endpoint === null) return null
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await loadPackages().catch(explainMissing)
  const url = `${endpoint}/v1/traces`
  const exporter = new OTLPTraceExporter({
    url,
    timeoutMillis: export_timeout_ms,
    ...(headers ? { headers } : {}),
  })
  // Ids are decided before a span is recorded.
  const next = { trace_id: '', span_id: '' }
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'kaikei',
      'service.instance.id': `${hostname()}:${process.pid}`,
    }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.AlwaysOnSampler() }),
    idGenerator: { generateTraceId: () => next.trace_id, generateSpanId: () => next.span_id },
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('kaikei')
  const kinds = { server: api.SpanKind.SERVER, client: api.SpanKind.CLIENT } as const

  function record(span: EndedSpan): void {
    const { name, kind, context, parent_span_id, ended_ms, duration_ms, attributes } = span
    next.trace_id = context.trace_id
    next.span_id = context.span_id
    const parent = parent_span_id && {
      traceId: context.trace_id,
      spanId: parent_span_id,
      traceFlags: context.sampled ? api.TraceFlags.SAMPLED : api.TraceFlags.NONE,
      isRemote: true,
    }
    const recorded = tracer.startSpan(
      name,
      { kind: kinds[kind], startTime: ended_ms - duration_ms, attributes },
      parent ? api.trace.setSpanContext(api.ROOT_CONTEXT, parent) : api.ROOT_CONTEXT,
    )
    if (span.has_failed) recorded.setStatus({ code: api.SpanStatusCode.ERROR })
    recorded.end(ended_ms)
  }

  return { record, ...newContinuedTraces(), close: () => provider.shutdown() }
}

/** The resources that belong to the trace of their caller. */
function newContinuedTraces(): Pick<Traces, 'contextOf' | 'continueTrace' | 'follow'> {
  const continued = new Map<string, TraceContext>()
  let signals: Signals | null = null

  function keep(id: string, caller: Pick<TraceContext, 'trace_id' | 'sampled'>): void {
    const oldest = continued.size < max_continued ? undefined : continued.keys().next().value
    if (oldest !== undefined) continued.delete(oldest)
    continued.set(id, { ...contextOfId(id), trace_id: caller.trace_id, sampled: caller.sampled })
  }

  return {
    contextOf: (id) => continued.get(id) ?? contextOfId(id),
    continueTrace: (id, caller) => {
      // Heard by this process, too.
      signals?.broadcast('traced', `${id} ${caller.trace_id} ${caller.sampled ? 1 : 0}`)
    },
    follow: (all) => {
      signals = all
      all.on('traced', (message) => {
        const [id, trace_id, sampled] = message.split(' ')
        if (id && trace_id) keep(id, { trace_id, sampled: sampled === '1' })
      })
    },
  }
}

function explainMissing(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  throw new PlainError(
    'OTEL_EXPORTER_OTLP_ENDPOINT is set, but the packages for traces are not installed. Install those in ' +
      'peerDependencies of package.json, or remove the setting; docs/monitoring.md has the command.',
  )
}
