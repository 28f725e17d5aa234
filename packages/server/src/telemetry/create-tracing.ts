import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  context,
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import type { Context, Span } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { TraceSettings } from '../config/telemetry.ts'
import { version } from '../config/version.ts'
import { Problem } from '../lib/problem.ts'
import type { Tracing } from '../lib/tracing.ts'

/**
 * Starts sending spans with the OpenTelemetry SDK. If another SDK is already registered, for example with NODE_OPTIONS,
 * it receives the spans instead.
 */
export function createTracing({ url, serviceName, sampleRatio }: TraceSettings): {
  tracing: Tracing
  close: () => Promise<void>
} {
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }))
    .merge(detectResources({ detectors: [serviceNameEnvDetector, resourceAttributesEnvDetector] }))
  const provider = new TracerProvider({
    resource,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })],
  })
  const isRegistered = trace.setGlobalTracerProvider(provider)
  if (isRegistered) context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  return {
    tracing: tracingWith(trace.getTracer('quayside', version)),
    async close() {
      // Spans that cannot be sent are lost; the exporter has its own timeout.
      await provider.shutdown().catch(() => {})
      if (!isRegistered) return
      trace.disable()
      context.disable()
    },
  }
}

function tracingWith(tracer: ReturnType<typeof trace.getTracer>): Tracing {
  return {
    span: (name, attributes, work) =>
      tracer.startActiveSpan(name, { attributes }, async (span) => {
        try {
          return await work()
        } catch (error) {
          recordError(span, error)
          throw error
        } finally {
          span.end()
        }
      }),
    start(name, attributes) {
      // Statements that poll for work would otherwise each become a trace.
      if (trace.getActiveSpan() === undefined) return () => {}
      const span = tracer.startSpan(name, { attributes, kind: SpanKind.CLIENT })
      return (error) => {
        if (error !== undefined) recordError(span, error)
        span.end()
      }
    },
    request(request, response, handle) {
      const parent = remoteParentOf(request)
      const span = tracer.startSpan(
        request.method ?? 'request',
        { kind: SpanKind.SERVER, attributes: { 'http.request.method': request.method ?? '' } },
        parent,
      )
      response.once('close', () => endRequest(span, response))
      context.with(trace.setSpan(parent, span), handle)
    },
    setRoute(method, route) {
      trace.getActiveSpan()?.updateName(`${method} ${route}`).setAttribute('http.route', route)
    },
  }
}

function endRequest(span: Span, { statusCode }: ServerResponse): void {
  span.setAttribute('http.response.status_code', statusCode)
  if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

/** Records the code and the message. Stack traces and details, such as rejected values, are not sent. */
function recordError(span: Span, error: unknown): void {
  const message = error instanceof Problem ? error.message : 'unexpected error'
  const type = error instanceof Problem ? error.code : error instanceof Error ? error.name : 'unknown'
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR, message })
}

/** Returns the context of the `traceparent` header (W3C Trace Context, version 00). */
function remoteParentOf({ headers }: IncomingMessage): Context {
  const [, traceId = '', spanId = '', flags = '0'] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(String(headers['traceparent'])) ?? []
  const remote = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
  return isSpanContextValid(remote) ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT
}
