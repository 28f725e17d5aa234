import { Readable } from 'node:stream'
import type { Logger } from 'pino'
import type { Connection } from '../database/connect.ts'
import { listenForNotifications, type Listening } from '../database/listen.ts'
import type { Executor } from '../database/transaction.ts'
import { limitConcurrency } from '../lib/concurrency.ts'
import { throttled } from '../lib/throttled.ts'
import {
  listChangesOfOwners,
  listExistingApplications,
  notificationChannel,
  notifyReaders,
} from './change-log.db.ts'
import { createChangeLog } from './change-log.ts'
import { isAfter, type ChangePosition } from './change-position.ts'
import { audienceName, isFor, type Audience } from './event-audience.ts'
import { changeText, endText, heartbeatText, startText, type EndReason } from './event-text.ts'
import { createStreamLimits, type EventStreamSettings } from './stream-limits.ts'

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

export type StreamRequest = Audience & {
  /** Identifies the API key or user whose streams are counted. */
  caller: string
  /** Identifies streams with the same key or session and the same access. */
  credential: string
  /** Returns whether the key or session is still valid and has the same access. */
  findAccessState: () => Promise<'unchanged' | 'changed' | 'ended'>
  /** The place to resume after; undefined to start with new changes. */
  after: ChangePosition | undefined
}

type Client = Omit<StreamRequest, 'after'> & {
  stream: Readable
  /** Identifies clients that receive the same events. */
  audience: string
  /** Everything up to this place has been sent to the client. */
  place: ChangePosition
  /** The sequence number of the next change to send; undefined until it is determined from `place`. */
  sequence: number | undefined
  /** Whether the stream accepts more text. */
  isReady: boolean
  isLoading: boolean
  isEnding: boolean
  /** The number of heartbeats that were due since the client last read from a full buffer. */
  missedHeartbeats: number
}

type Chunk = { after: ChangePosition; text: string; place: ChangePosition; sequence: number }

const maxChunkLength = 64 * 1024
const maxMissedHeartbeats = 2
const loadedAtOnce = 250
const maxConcurrentLoads = 2
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
  const limitLoads = limitConcurrency(maxConcurrentLoads)
  const changeLog = createChangeLog({ db, log, pollMs, onChanges: sendAll })
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
      channel: notificationChannel,
      onNotification: changeLog.wake,
      log,
    })
  }

  function sendAll(): void {
    const chunks = new Map<string, Chunk>()
    for (const client of clients) send(client, chunks)
  }

  /** Sends changes until the client has all of them or its buffer is full. */
  function send(client: Client, chunks = new Map<string, Chunk>()): void {
    while (client.isReady && !client.isLoading && !client.isEnding) {
      if (isAfter(changeLog.floor(), client.place)) return void load(client)
      const chunk = nextChunk(client, chunks)
      if (chunk === undefined) return
      client.place = chunk.place
      client.sequence = chunk.sequence
      if (chunk.text !== '') client.isReady = client.stream.push(chunk.text)
    }
  }

  function nextChunk(client: Client, chunks: Map<string, Chunk>): Chunk | undefined {
    const start = (client.sequence ??= changeLog.sequenceAfter(client.place))
    const end = changeLog.endSequence()
    if (start >= end) return undefined
    const name = `${client.audience} ${start}`
    const known = chunks.get(name)
    if (known !== undefined && !isAfter(known.after, client.place) && !isAfter(client.place, known.after))
      return known
    let text = ''
    let { place } = client
    let sequence = start
    for (; sequence < end && text.length < maxChunkLength; sequence++) {
      const change = changeLog.at(sequence)
      // A client whose changes were just loaded from the database can be ahead of the reader.
      if (change === undefined || !isAfter(change, place)) continue
      if (isFor(client, change)) text += changeText(change, place)
      place = change
    }
    if (sequence === end && isAfter(changeLog.end(), place)) place = changeLog.end()
    const chunk = { after: client.place, text, place, sequence }
    chunks.set(name, chunk)
    return chunk
  }

  /** Sends changes that are no longer in memory, which it loads from the database. */
  async function load(client: Client): Promise<void> {
    client.isLoading = true
    client.sequence = undefined
    try {
      const floor = changeLog.floor()
      const { changes, hasMore } = await limitLoads(() =>
        listChangesOfOwners(db, client.owners, client.place, loadedAtOnce),
      )
      let text = ''
      for (const change of changes) {
        if (isFor(client, change)) text += changeText(change, client.place)
        client.place = change
      }
      if (!hasMore && isAfter(floor, client.place)) client.place = floor
      if (text !== '' && !client.isEnding) client.isReady = client.stream.push(text)
    } catch (error) {
      log.warn({ err: error }, 'cannot load the changes for an event stream')
      end(client, 'unavailable')
    }
    client.isLoading = false
    send(client)
  }

  /** Sends the last event and closes the connection, even if the client does not read it. */
  function end(client: Client, reason: EndReason): void {
    if (client.isEnding) return
    client.isEnding = true
    client.stream.push(endText(reason))
    client.stream.push(null)
    const timer = setTimeout(() => client.stream.destroy(), closeMs)
    client.stream.once('close', () => clearTimeout(timer))
  }

  function beat(): void {
    for (const client of clients) {
      if (client.isEnding) continue
      if (client.isReady) {
        const hasAll = client.sequence === changeLog.endSequence() && !client.isLoading
        client.isReady = client.stream.push(heartbeatText(hasAll ? client.place : undefined))
      } else if (++client.missedHeartbeats >= maxMissedHeartbeats) {
        end(client, 'too_slow')
        log.info({ caller: client.caller }, 'closing an event stream that its client does not read')
      }
    }
  }

  /** Ends the streams whose applications have been deleted, and those whose caller has lost or changed access. */
  async function check(): Promise<void> {
    if (isChecking) return
    isChecking = true
    try {
      const ids = new Set([...clients].flatMap(({ owners }) => [...(owners.applicationIds ?? [])]))
      const existing = await listExistingApplications(db, [...ids])
      for (const client of clients) {
        const { applicationIds } = client.owners
        if (applicationIds !== null && existing.isDisjointFrom(applicationIds))
          end(client, 'application_deleted')
      }
      const byCredential = Map.groupBy(clients, ({ credential }) => credential)
      await Promise.all(
        [...byCredential.values()].map(async (group) => {
          const state = (await group[0]?.findAccessState()) ?? 'unchanged'
          if (state === 'unchanged') return
          for (const client of group) end(client, state === 'ended' ? 'key_invalid' : 'access_changed')
        }),
      )
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
      timers = [setInterval(beat, heartbeatMs), setInterval(() => void check(), checkMs)]
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
      const client: Client = {
        ...request,
        audience: audienceName(request),
        place: after ?? changeLog.end(),
        sequence: undefined,
        isReady: false,
        isLoading: false,
        isEnding: false,
        missedHeartbeats: 0,
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
      const retryMs = minRetryMs + Math.floor(Math.random() * retrySpreadMs)
      client.stream.push(startText(after === undefined ? client.place : undefined, retryMs))
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
