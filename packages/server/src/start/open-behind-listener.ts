import type { Deps } from '../deps.ts'
import { findAnyBuild } from '../features/builds/build.db.ts'
import { countBuildsToReread } from '../features/builds/inspection/reread-builds.job.ts'
import { createDiagnose } from '../http/diagnose.ts'
import type { OnResponse } from '../http/server.ts'
import { drain, listenUrlOf } from '../http/wire/listener.ts'
import { jobs, retiredSchedules } from '../jobs.ts'
import { createQueue, type JobQueue } from '../jobs/queue.ts'
import type { JsonReader } from '../net/outgoing.ts'
import { createClientApi } from '../site/client-api.ts'
import { startBackgroundWork } from './background-work.ts'
import { createDeps } from './create-deps.ts'
import { ensureFirstOwner } from './first-owner.ts'
import { openReadinessCheck } from './open-readiness.ts'
import { type Opening, openState, type State } from './open-state.ts'
import type { StartContext } from './start-context.ts'
import type { Listener } from './start-listener.ts'

export type Behavior = {
  /** Whether to send webhook requests; true by default. */
  sendsWebhooks?: boolean
  /** Whether to run jobs at their scheduled times; true by default. */
  schedulesJobs?: boolean
  /** Set by tests to check every response against the OpenAPI document. */
  onResponse?: OnResponse
}

export type Opened = {
  url: string
  /** The URL at which the service listens; undefined if the public URL is equivalent to it. */
  listenUrl: string | undefined
  port: number
  deps: Deps
  /** The folder of the embedded database; undefined if DATABASE_URL is set. */
  databaseLocation: string | undefined
  /** Whether a build has ever been uploaded, including builds that are now in the trash. */
  hasBuilds: boolean
  /** The link with which the first owner sets up the service; undefined if there is an owner. */
  setupUrl: string | undefined
  /** The path of the file that contains the first key; undefined once the file has been deleted. */
  firstKeyPath: string | undefined
  /** Closes the connections that closing the service is waiting for. */
  closeConnections(): void
}

/** Opens everything behind the listener, and then the listener for clients. */
export async function openBehindListener(
  opening: Opening,
  { sendsWebhooks = true, schedulesJobs = true, onResponse }: Behavior,
  context: StartContext,
): Promise<Opened> {
  const { listener } = opening
  const state = await openState(opening, context)
  const queue = createJobQueue({ listener, state, schedulesJobs }, context)
  const { deps, reader } = createDeps({ listener, state, queue: queue.queue }, context)
  const { config, edge } = listener
  const { workspaceId, firstKeyPath } = state
  const { publicUrl } = config
  const setupUrl =
    config.role === 'worker' ? undefined : await ensureFirstOwner({ ...deps, workspaceId, publicUrl })
  await startJobs(queue, { listener, state, deps, sendsWebhooks }, context)
  await serve({ listener, state, deps, reader, onResponse }, context)
  return {
    url: publicUrl,
    listenUrl: listenUrlOf(config),
    port: config.port,
    deps,
    databaseLocation: state.database.location,
    hasBuilds: (await findAnyBuild(deps.db)) !== undefined,
    setupUrl,
    firstKeyPath,
    closeConnections: () => edge.server.closeAllConnections(),
  }
}

type Parts = { listener: Listener; state: State }

function createJobQueue(
  { listener, state, schedulesJobs }: Parts & { schedulesJobs: boolean },
  { log }: StartContext,
): JobQueue {
  const { direct, isDiskFull } = state.database
  return createQueue({
    connection: direct,
    // While the disk is full, every poll fails.
    onError: (error) => isDiskFull?.() === true || log.warn({ reason: error.message }, 'job queue error'),
    runsJobs: listener.config.role !== 'api',
    schedulesJobs,
  })
}

/** Runs jobs and background work on the nodes that do so. */
async function startJobs(
  queue: JobQueue,
  { listener, state, deps, sendsWebhooks }: Parts & { deps: Deps; sendsWebhooks: boolean },
  { closers }: StartContext,
): Promise<void> {
  const { db, direct: connection } = state.database
  await queue.start(jobs, { db, isSoleService: listener.isSoleService, retiredSchedules })
  closers.push(() => queue.stop())
  if (listener.config.role === 'api') return
  await queue.work(jobs, deps, () => deps.eventStreams.announce())
  startBackgroundWork(deps, { connection, sendsWebhooks, closers })
}

type Serving = Parts & {
  deps: Deps
  /** Reads the documents of identity providers. */
  reader: JsonReader
  onResponse: OnResponse | undefined
}

/** Opens the listener: for clients, or on a worker only for health checks. */
async function serve(
  { listener, state, deps, reader, onResponse }: Serving,
  { log, closers }: StartContext,
): Promise<void> {
  const { config, edge, telemetry, lock } = listener
  const { storage, eventStreams, secretBox } = deps
  const { check, db } = openReadinessCheck({ ...state.database, storage, log }, closers)
  telemetry.addState({
    db,
    pool: state.database.pool,
    jobNames: jobs.map(({ name }) => name),
    countEventStreams: eventStreams.count,
    checkReady: check,
    findCapacity: storage.findCapacity,
    countOutdatedBuilds: countBuildsToReread,
  })
  if (config.role === 'worker') edge.openForHealthChecks(check)
  else {
    const { api, handler } = await createClientApi(deps, {
      server: edge.server,
      workspaceId: state.workspaceId,
      reader,
      closers,
      ...(onResponse && { onResponse }),
    })
    closers.push(() => api.close())
    const diagnose = createDiagnose(secretBox, config.trustedProxies)
    edge.open({ api: handler, storage: state.storageHandlers, check, diagnose })
  }
  closers.push(() => drain(edge, log))
  // Event streams end before the connections are drained, because they would otherwise stay open.
  closers.push(async () => eventStreams.stop())
  closers.push(async () => await lock?.leave())
}
