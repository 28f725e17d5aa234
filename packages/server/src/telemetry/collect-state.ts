import { setTimeout as pause } from 'node:timers/promises'
import { Gauge, type Registry } from 'prom-client'
import type { DatabasePool } from '../database/pool.ts'
import type { Db } from '../database/transaction.ts'
import type { Capacity } from '../storage/objects/free-space.ts'
import { countDueWebhookRequests, countPendingUploads, countQueuedJobs } from './state.db.ts'

export type StateSources = {
  /** A connection that requests do not use. */
  db: Db
  pool: DatabasePool
  jobNames: readonly string[]
  countEventStreams: () => number
  /** Throws if the service is not ready. */
  checkReady: () => Promise<void>
  findCapacity: () => Promise<Capacity | undefined>
  /** Counts the builds whose files a newer version reads again, by what it reads. */
  countOutdatedBuilds: (db: Db) => Promise<{ kind: string; count: number }[]>
}

const deadlineMs = 3_000

/**
 * Registers gauges whose values are read when the metrics are requested. Values of the database and of a disk that does
 * not respond are missing.
 */
export function collectState(registry: Registry, sources: StateSources): () => Promise<void> {
  const gauges = createGauges(registry)

  const readJobs = async (): Promise<void> => {
    const counts = new Map((await countQueuedJobs(sources.db)).map((row) => [row.name, row]))
    for (const job of sources.jobNames) {
      const { due = 0, active = 0, oldest_seconds = 0 } = counts.get(job) ?? {}
      gauges.queuedJobs.set({ job, state: 'due' }, due)
      gauges.queuedJobs.set({ job, state: 'active' }, active)
      gauges.oldestJob.set({ job }, oldest_seconds)
    }
  }
  const readWebhooks = async (): Promise<void> => {
    const { due, oldest_seconds } = await countDueWebhookRequests(sources.db)
    gauges.dueWebhooks.set(due)
    gauges.oldestWebhook.set(oldest_seconds)
  }
  const readUploads = async (): Promise<void> => {
    for (const { state, count } of await countPendingUploads(sources.db))
      gauges.pendingUploads.set({ state }, count)
  }
  const readOutdated = async (): Promise<void> => {
    for (const { kind, count } of await sources.countOutdatedBuilds(sources.db))
      gauges.outdatedBuilds.set({ kind }, count)
  }
  const readDisk = async (): Promise<void> => {
    const capacity = await sources.findCapacity()
    if (capacity === undefined) return
    gauges.diskSize.set(capacity.sizeBytes)
    gauges.diskUsable.set(capacity.usableBytes)
  }
  const { queuedJobs, oldestJob, dueWebhooks, oldestWebhook, pendingUploads, outdatedBuilds } = gauges
  const ofDatabase = [queuedJobs, oldestJob, dueWebhooks, oldestWebhook, pendingUploads, outdatedBuilds]

  return async () => {
    for (const stale of [...ofDatabase, gauges.diskSize, gauges.diskUsable]) stale.reset()
    const { used, idle, waiting, max } = sources.pool.usage()
    gauges.connections.set({ state: 'used' }, used)
    gauges.connections.set({ state: 'idle' }, idle)
    gauges.waiting.set(waiting)
    gauges.maxConnections.set(max)
    gauges.eventStreams.set(sources.countEventStreams())
    const isReady = await sources.checkReady().then(
      () => true,
      () => false,
    )
    gauges.ready.set(isReady ? 1 : 0)
    // While the service is not ready, the statements would only delay the response.
    if (!isReady) return
    const read = Promise.allSettled([readJobs(), readWebhooks(), readUploads(), readOutdated(), readDisk()])
    await Promise.race([read, pause(deadlineMs, undefined, { ref: false })])
  }
}

function createGauges(registry: Registry) {
  const gauge = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name: `quayside_${name}`, help, labelNames, registers: [registry] })
  return {
    ready: gauge('ready', 'Whether the database and storage work, as reported by /readyz'),
    connections: gauge('database_connections', 'Connections of the pool by state', ['state']),
    waiting: gauge('database_waiting_callers', 'Callers that wait for a connection of the pool'),
    maxConnections: gauge('database_max_connections', 'Maximum number of connections of the pool'),
    eventStreams: gauge('event_streams', 'Open event streams of this process'),
    diskSize: gauge('storage_disk_size_bytes', 'Size of the disk that contains the files'),
    diskUsable: gauge(
      'storage_disk_usable_bytes',
      'Disk space that uploads can still use, without the reserve',
    ),
    queuedJobs: gauge('queued_jobs', 'Background jobs that are due or running', ['job', 'state']),
    oldestJob: gauge('oldest_due_job_age_seconds', 'How long the oldest due job has waited', ['job']),
    dueWebhooks: gauge('due_webhook_requests', 'Webhook requests that are due or being sent'),
    oldestWebhook: gauge(
      'oldest_due_webhook_request_age_seconds',
      'How long the oldest due webhook request has waited',
    ),
    outdatedBuilds: gauge('outdated_builds', 'Builds whose files will be read again, by what is read', [
      'kind',
    ]),
    pendingUploads: gauge('pending_uploads', 'Unfinished uploads by state', ['state']),
  }
}
