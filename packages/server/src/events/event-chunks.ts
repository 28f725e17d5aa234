import type { ChangeLog } from './change-log.ts'
import { isAfter, positionText, type ChangePosition } from './change-position.ts'
import { isFor, type Audience } from './event-audience.ts'
import { changeText } from './event-text.ts'

/** The events between two places of the log, as text for all clients that receive the same events. */
export type Chunk = { after: ChangePosition; text: string; place: ChangePosition; sequence: number }

/** What determines the next chunk of a client. */
export type ChunkReader = Audience & {
  /** Identifies clients that receive the same events. */
  audience: string
  /** Everything up to this place has been sent to the client. */
  place: ChangePosition
  /** The place from which the client resumed. */
  resumedFrom: ChangePosition
  /** The sequence number of the next change to send; undefined until it is determined from `place`. */
  sequence: number | undefined
}

const maxChunkLength = 64 * 1024

/** Returns the next chunk for a client, from `chunks` if another client has just received it, or undefined at the end. */
export function nextChunk(
  changeLog: ChangeLog,
  client: ChunkReader,
  chunks: Map<string, Chunk>,
): Chunk | undefined {
  const start = (client.sequence ??= changeLog.sequenceAfter(client.place))
  const end = changeLog.endSequence()
  if (start >= end) return undefined
  const { resumedFrom } = client
  const name = `${client.audience} ${start} ${start < changeLog.beforeStartEnd() ? positionText(resumedFrom) : ''}`
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
    if (isFor(client, change))
      text += changeText(change, change.isBeforeStart ? resumedFrom : place, change.isFirst)
    place = change
  }
  if (sequence === end && isAfter(changeLog.end(), place)) place = changeLog.end()
  const chunk = { after: client.place, text, place, sequence }
  chunks.set(name, chunk)
  return chunk
}
