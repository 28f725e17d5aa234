import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Registry } from 'prom-client'
import type { Config } from '../config/config.ts'
import type { TraceSettings } from '../config/telemetry.ts'
import type { StatementObserver } from '../database/client.ts'
import { noMetrics, type Metrics } from '../lib/metrics.ts'
import { noTracing, type Tracing } from '../lib/tracing.ts'
import type { StorageDriver } from '../storage/driver.ts'
import { collectState, type StateSources } from './collect-state.ts'
import { createMetricsHandler, listenForMetrics } from './metrics-endpoint.ts'
import { createStatementObserver } from './statement-observer.ts'
import { traceStorage } from './trace-storage.ts'

export type Telemetry = {
  metrics: Metrics
  tracing: Tracing
  /** Undefined if neither metrics nor traces are recorded. */
  observeStatement: StatementObserver | undefined
  observeStorage: <Driver extends StorageDriver>(driver: Driver) => Driver
  /** Serves `/metrics` at the address of the service; undefined if there is no token. */
  serveMetrics: ((request: IncomingMessage, response: ServerResponse) => void) | undefined
  /** Adds the metrics that are read when they are requested. */
  addState(sources: StateSources): void
}

/** Opens the metrics and traces that the settings turn on. The libraries of others are not loaded. */
export async function openTelemetry(
  { metrics: settings, traces }: Pick<Config, 'metrics' | 'traces'>,
  closers: (() => Promise<void>)[],
): Promise<Telemetry> {
  const tracing = traces === undefined ? noTracing : await startTracing(traces, closers)
  const isTracing = tracing !== noTracing
  const observeStorage: Telemetry['observeStorage'] = (driver) =>
    isTracing ? traceStorage(driver, tracing) : driver
  const { token, listen } = settings
  if (token === undefined && listen === undefined)
    return {
      metrics: noMetrics,
      tracing,
      observeStatement: isTracing ? createStatementObserver({ metrics: noMetrics, tracing }) : undefined,
      observeStorage,
      serveMetrics: undefined,
      addState: () => {},
    }
  const { createMetrics } = await import('./create-metrics.ts')
  const { metrics, registry } = createMetrics()
  let collect = async (): Promise<void> => {}
  const render = renderOnce(registry, () => collect())
  if (listen !== undefined) {
    const listening = await listenForMetrics(listen, createMetricsHandler({ render }))
    closers.push(listening.close)
  }
  return {
    metrics,
    tracing,
    observeStatement: createStatementObserver({ metrics, tracing }),
    observeStorage,
    serveMetrics: token === undefined ? undefined : createMetricsHandler({ render, token }),
    addState(sources) {
      collect = collectState(registry, sources)
    },
  }
}

async function startTracing(settings: TraceSettings, closers: (() => Promise<void>)[]): Promise<Tracing> {
  const { createTracing } = await import('./create-tracing.ts')
  const { tracing, close } = createTracing(settings)
  closers.push(close)
  return tracing
}

/** Returns a function whose concurrent callers share one response, so that they cause no additional statements. */
function renderOnce(registry: Registry, collect: () => Promise<void>): () => Promise<string> {
  let rendering: Promise<string> | undefined
  return () => {
    rendering ??= collect()
      .then(() => registry.metrics())
      .finally(() => {
        rendering = undefined
      })
    return rendering
  }
}
