import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import type { Executor } from '../database/transaction.ts'
import { limitConcurrency } from '../lib/concurrency.ts'
import { listChangesOfOwners } from './change-log.db.ts'
import type { ChangeLog } from './change-log.ts'
import { isAfter, type ChangePosition } from './change-position.ts'
import { isFor, type Audience } from './event-audience.ts'
import { nextChunk, type Chunk, type ChunkReader } from './event-chunks.ts'
import { changeText, endText, heartbeatText, type EndReason } from './event-text.ts'

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

export type Client = Omit<StreamRequest, 'after'> &
  ChunkReader & {
    stream: Readable
    /** Whether the stream accepts more text. */
    isReady: boolean
    isLoading: boolean
    isEnding: boolean
    /** The number of heartbeats that were due since the client last read from a full buffer. */
    missedHeartbeats: number
  }

const maxMissedHeartbeats = 2
const loadedAtOnce = 250
const maxConcurrentLoads = 2

type Options = {
  db: Executor
  log: Logger
  changeLog: ChangeLog
  /** How long a client has to read the last events before the connection is closed. */
  closeMs: number
}

/** Creates the functions that send events, heartbeats and the end of a stream to a client. */
export function createEventSender({ db, log, changeLog, closeMs }: Options) {
  const limitLoads = limitConcurrency(maxConcurrentLoads)

  /** Sends changes until the client has all of them or its buffer is full. */
  function send(client: Client, chunks = new Map<string, Chunk>()): void {
    while (client.isReady && !client.isLoading && !client.isEnding) {
      if (isAfter(changeLog.floor(), client.place)) return void load(client)
      const chunk = nextChunk(changeLog, client, chunks)
      if (chunk === undefined) return
      client.place = chunk.place
      client.sequence = chunk.sequence
      if (chunk.text !== '') client.isReady = client.stream.push(chunk.text)
    }
  }

  /** Sends changes that are no longer in memory, which it loads from the database. */
  async function load(client: Client): Promise<void> {
    client.isLoading = true
    client.sequence = undefined
    const start = client.place
    try {
      const floor = changeLog.floor()
      const { changes, hasMore } = await limitLoads(() =>
        listChangesOfOwners(db, client.owners, client.place, loadedAtOnce),
      )
      let text = ''
      for (const change of changes) {
        if (isFor(client, change)) text += changeText(change, start)
        client.place = change
      }
      if (!hasMore && isAfter(floor, client.place)) client.place = floor
      client.resumedFrom = client.place
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

  /** Sends a heartbeat. Ends the stream of a client that has read nothing since several of them were due. */
  function beat(client: Client): void {
    if (client.isEnding) return
    if (client.isReady) {
      const hasAll = client.sequence === changeLog.endSequence() && !client.isLoading
      client.isReady = client.stream.push(heartbeatText(hasAll ? client.place : undefined))
    } else if (++client.missedHeartbeats >= maxMissedHeartbeats) {
      end(client, 'too_slow')
      log.info({ caller: client.caller }, 'closing an event stream that its client does not read')
    }
  }

  return { send, end, beat }
}
