import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { version } from '../config/version.ts'
import type { Metrics } from '../lib/metrics.ts'

const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const statementBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30]
const jobBuckets = [0.01, 0.05, 0.25, 1, 5, 15, 60, 300, 1_800, 7_200]
const attemptBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]

// A client can send any method that Node.js can parse, also to unknown paths.
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

type Registers = Registry[]

/** Creates the metrics of this process in a registry of their own. */
export function createMetrics(): { metrics: Metrics; registry: Registry } {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'quayside_build_info',
    help: 'Version of the server and of Node.js; always 1',
    labelNames: ['version', 'node_version'],
    registers,
  })
    .labels(version, process.version)
    .set(1)
  const metrics: Metrics = {
    ...requestMetrics(registers),
    ...storageMetrics(registers),
    ...statementMetrics(registers),
    ...jobMetrics(registers),
    ...webhookMetrics(registers),
  }
  return { metrics, registry }
}

function requestMetrics(registers: Registers): Pick<Metrics, 'recordRequest'> {
  const requests = new Counter({
    name: 'quayside_http_requests_total',
    help: 'Completed requests by route and status',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const duration = new Histogram({
    name: 'quayside_http_request_duration_seconds',
    help: 'Duration of requests by route, without event streams and transfers of files',
    labelNames: ['method', 'route'],
    buckets: requestBuckets,
    registers,
  })
  return {
    recordRequest({ method: sent, route, status, seconds }) {
      const method = knownMethods.has(sent) ? sent : 'other'
      requests.inc({ method, route, status: String(status) })
      if (seconds !== undefined) duration.observe({ method, route }, seconds)
    },
  }
}

function storageMetrics(
  registers: Registers,
): Pick<Metrics, 'startTransfer' | 'recordVerifiedUpload' | 'recordDamagedFile'> {
  const transferredBytes = new Counter({
    name: 'quayside_storage_transferred_bytes_total',
    help: 'Bytes of files received from and sent to clients by this process',
    labelNames: ['direction'],
    registers,
  })
  const activeTransfers = new Gauge({
    name: 'quayside_storage_active_transfers',
    help: 'Transfers of files in progress',
    labelNames: ['direction'],
    registers,
  })
  for (const direction of ['upload', 'download']) {
    transferredBytes.inc({ direction }, 0)
    activeTransfers.set({ direction }, 0)
  }
  const verifiedUploads = new Counter({
    name: 'quayside_verified_uploads_total',
    help: 'Uploads that were verified by this process',
    labelNames: ['kind'],
    registers,
  })
  const verifiedBytes = new Counter({
    name: 'quayside_verified_upload_bytes_total',
    help: 'Bytes of uploads that were verified by this process',
    labelNames: ['kind'],
    registers,
  })
  const damagedFiles = new Counter({
    name: 'quayside_storage_damaged_files_total',
    help: 'Requests and jobs that found a stored file missing or damaged',
    registers,
  })
  return {
    startTransfer(direction) {
      activeTransfers.inc({ direction })
      return {
        add: (sizeBytes) => transferredBytes.inc({ direction }, sizeBytes),
        end: () => activeTransfers.dec({ direction }),
      }
    },
    recordVerifiedUpload({ kind, sizeBytes }) {
      verifiedUploads.inc({ kind })
      verifiedBytes.inc({ kind }, sizeBytes)
    },
    recordDamagedFile: () => damagedFiles.inc(),
  }
}

function statementMetrics(registers: Registers): Pick<Metrics, 'recordStatement'> {
  const duration = new Histogram({
    name: 'quayside_database_statement_duration_seconds',
    help: 'Duration of database statements, without the wait for a connection',
    buckets: statementBuckets,
    registers,
  })
  const errors = new Counter({
    name: 'quayside_database_statement_errors_total',
    help: 'Failed database statements by SQLSTATE; some are expected, such as 23505 for a name that exists',
    labelNames: ['code'],
    registers,
  })
  return {
    recordStatement({ seconds, errorCode }) {
      duration.observe(seconds)
      if (errorCode !== undefined) errors.inc({ code: errorCode })
    },
  }
}

function jobMetrics(registers: Registers): Pick<Metrics, 'recordJob'> {
  const duration = new Histogram({
    name: 'quayside_job_duration_seconds',
    help: 'Duration of background jobs',
    labelNames: ['job'],
    buckets: jobBuckets,
    registers,
  })
  const failures = new Counter({
    name: 'quayside_job_failures_total',
    help: 'Background jobs that failed, including those that are retried',
    labelNames: ['job'],
    registers,
  })
  return {
    recordJob({ name: job, seconds, hasFailed }) {
      duration.observe({ job }, seconds)
      failures.inc({ job }, hasFailed ? 1 : 0)
    },
  }
}

function webhookMetrics(registers: Registers): Pick<Metrics, 'recordWebhookAttempt'> {
  const attempts = new Counter({
    name: 'quayside_webhook_attempts_total',
    help: 'Attempts to send a webhook request by result',
    labelNames: ['result'],
    registers,
  })
  for (const result of ['delivered', 'failed']) attempts.inc({ result }, 0)
  const duration = new Histogram({
    name: 'quayside_webhook_attempt_duration_seconds',
    help: 'Duration of attempts to send a webhook request',
    buckets: attemptBuckets,
    registers,
  })
  return {
    recordWebhookAttempt({ seconds, isDelivered }) {
      attempts.inc({ result: isDelivered ? 'delivered' : 'failed' })
      duration.observe(seconds)
    },
  }
}
