import { Readable } from 'node:stream'
import type { Logger } from 'pino'
import type { Connection } from '../database/connect.ts'
import { listenForNotifications, type Listening } from '../database/listen.ts'
import type { Executor } from '../database/transaction.ts'
import { listExistingApplications, notificationChannel, notifyReaders } from './change-log.db.ts'
import { createChangeLog } from './change-log.ts'
import { audienceName } from './event-audience.ts'
import type { Chunk } from './event-chunks.ts'
import { createEventSender, type Client, type StreamRequest } from './event-sender.ts'
import { startText, type EndReason } from './event-text.ts'
import { createStreamLimits, type EventStreamSettings } from './stream-limits.ts'
import { throttled } from './throttled.ts'

type Options = EventStreamSettings & {
  db: Executor
  log: Logger
  /** The database that this process shares with others; undefined if there are no others. */
  sharedWith: Connection | undefined
  /** Overrides for tests. */
  times?: Partial<typeof defaultTimes>
}

const defaultTimes = {
  /** How often to look for changes that no notification announced. */
  pollMs: 1_000,
  /** This is shorter than the idle timeouts of proxies, which are rarely below 30 seconds. */
  heartbeatMs: 15_000,
  /** A revoked key must lose access within a second, and authentication caches valid keys for half a second. */
  checkMs: 400,
  /** How long a client has to read the last events before the connection is closed. */
  closeMs: 5_000,
}

const minNotifyIntervalMs = 50
const minRetryMs = 1_000
const retrySpreadMs = 2_000

export type EventStreams = ReturnType<typeof createEventStreams>

/**
 * Creates the event streams of this process. One reader of the log serves all clients. A slow client uses no more memory
 * than others, because nothing more is sent until it has read what was sent before.
 */
export function createEventStreams({ db, log, times, sharedWith, ...settings }: Options) {
  const { pollMs, heartbeatMs, checkMs, closeMs } = { ...defaultTimes, ...times }
  const clients = new Set<Client>()
  const limits = createStreamLimits(settings)
  const changeLog = createChangeLog({ db, log, pollMs, onChanges: sendAll })
  const { send, end, beat } = createEventSender({ db, log, changeLog, closeMs })
  const notify = throttled(notifyOthers, minNotifyIntervalMs)
  let listening: Listening | undefined
  let isChecking = false
  let timers: NodeJS.Timeout[] = []

  async function notifyOthers(): Promise<void> {
    if (sharedWith === undefined) return
    // Other processes also read at intervals, so a failure only delays events.
    await notifyReaders(db).catch((error: unknown) =>
      log.debug({ err: error }, 'cannot notify other processes'),
    )
  }

  /** Listens for notifications of the other processes, if there are any. */
  function listen(): void {
    if (sharedWith === undefined) return
    listening ??= listenForNotifications({
      connection: sharedWith,
      channels: { [notificationChannel]: changeLog.wake },
      log,
    })
  }

  function sendAll(): void {
    const chunks = new Map<string, Chunk>()
    for (const client of clients) send(client, chunks)
  }

  function beatAll(): void {
    for (const client of clients) beat(client)
  }

  /** Ends the streams whose applications have been deleted, and those whose caller has lost or changed access. */
  async function check(): Promise<void> {
    if (isChecking) return
    isChecking = true
    try {
      await endWithoutAccess(db, clients, end)
    } catch (error) {
      // While the database is unavailable, no new changes are read, so the streams reveal nothing new.
      log.debug({ err: error }, 'cannot check the event streams')
    } finally {
      isChecking = false
    }
  }

  /** Counts a stream and returns the function to call when it is closed. Throws if there are too many streams. */
  function reserve(caller: string): () => void {
    const release = limits.reserve(caller)
    if (limits.open() === 1)
      timers = [setInterval(beatAll, heartbeatMs), setInterval(() => void check(), checkMs)]
    return () => {
      release()
      if (limits.open() > 0) return
      for (const timer of timers) clearInterval(timer)
      changeLog.stop()
    }
  }

  return {
    /** Opens a stream of events. Throws if there are too many streams or the database is unavailable. */
    async open({ after, ...request }: StreamRequest): Promise<Readable> {
      const release = reserve(request.caller)
      try {
        listen()
        await changeLog.start()
        limits.assertOpen()
      } catch (error) {
        release()
        throw error
      }
      const place = after ?? changeLog.end()
      const client: Client = {
        ...request,
        ...initialState,
        audience: audienceName(request),
        place,
        resumedFrom: place,
        stream: new Readable({
          read() {
            // A client with a backlog is rarely ready when a heartbeat is due, even if it keeps reading.
            client.missedHeartbeats = 0
            client.isReady = true
            send(client)
          },
          destroy(error, done) {
            clients.delete(client)
            client.isEnding = true
            release()
            done(error)
          },
        }),
      }
      clients.add(client)
      client.stream.push(startText(after === undefined ? client.place : undefined, chooseRetryMs()))
      return client.stream
    },
    /** Makes this and the other processes read new changes soon. Call it whenever something may have changed. */
    announce(): void {
      changeLog.wake()
      notify()
    },
    /** Ends all streams and rejects new ones. */
    stop(): void {
      limits.close()
      for (const client of clients) end(client, 'server_stopping')
    },
    close: async () => listening?.close(),
    count: limits.open,
  }
}

const initialState = {
  sequence: undefined,
  isReady: false,
  isLoading: false,
  isEnding: false,
  missedHeartbeats: 0,
}

/** Spreads the connections of clients after a restart. */
const chooseRetryMs = (): number => minRetryMs + Math.floor(Math.random() * retrySpreadMs)

async function endWithoutAccess(
  db: Executor,
  clients: ReadonlySet<Client>,
  end: (client: Client, reason: EndReason) => void,
): Promise<void> {
  const ids = new Set([...clients].flatMap(({ owners }) => [...(owners.applicationIds ?? [])]))
  const existing = await listExistingApplications(db, [...ids])
  for (const client of clients) {
    const { applicationIds } = client.owners
    if (applicationIds !== null && existing.isDisjointFrom(applicationIds)) end(client, 'application_deleted')
  }
  const byCredential = Map.groupBy(clients, ({ credential }) => credential)
  await Promise.all(
    [...byCredential.values()].map(async (group) => {
      const state = (await group[0]?.findAccessState()) ?? 'unchanged'
      if (state === 'unchanged') return
      for (const client of group) end(client, state === 'ended' ? 'key_invalid' : 'access_changed')
    }),
  )
}
