import type { SettingReader } from './setting-reader.ts'

/** How the metrics are served; not at all by default. */
export type MetricsSettings = {
  /** The token with which `/metrics` can be requested at the address of the service. */
  token: string | undefined
  /** A separate address at which `/metrics` can be requested without a token. */
  listen: { host: string; port: number } | undefined
}

/** Where spans are sent. */
export type TraceSettings = {
  /** The URL that receives spans in the format OTLP over HTTP. */
  url: string
  serviceName: string
  /** The share of the traces that are recorded, unless the client decides with a `traceparent` header. */
  sampleRatio: number
}

type Reader = Pick<SettingReader, 'setting' | 'integer' | 'secretText' | 'problems'>

export function readMetrics({ setting, integer, secretText }: Omit<Reader, 'problems'>): MetricsSettings {
  const port = integer('QUAYSIDE_METRICS_PORT', 0, 0, 65_535)
  const host = setting('QUAYSIDE_METRICS_HOST') ?? '127.0.0.1'
  return { token: secretText('QUAYSIDE_METRICS_TOKEN'), listen: port === 0 ? undefined : { host, port } }
}

/** Returns where to send spans, or undefined. The names of the settings are those of the OpenTelemetry specification. */
export function readTraces({ setting, problems }: Pick<Reader, 'setting' | 'problems'>) {
  const base = setting('OTEL_EXPORTER_OTLP_ENDPOINT')
  const url =
    setting('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') ?? (base && `${base.replace(/\/+$/, '')}/v1/traces`)
  const ratio = setting('OTEL_TRACES_SAMPLER_ARG') ?? '1'
  const serviceName = setting('OTEL_SERVICE_NAME') ?? 'quayside'
  if (url === undefined) return undefined
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    problems.push(
      `OTEL_EXPORTER_OTLP_ENDPOINT must be a URL such as http://localhost:4318, not "${base ?? url}".`,
    )
  const sampleRatio = Number(ratio)
  if (!(sampleRatio >= 0 && sampleRatio <= 1))
    problems.push(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "${ratio}".`)
  return { url, serviceName, sampleRatio }
}
