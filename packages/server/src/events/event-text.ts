import type { LoggedChange } from './change-log.db.ts'
import { isAfter, positionText, type ChangePosition } from './change-position.ts'

/** Types of changes that clients can receive. The other rows of the log concern only the changes feed. */
export const eventTypes = [
  'application',
  'build',
  'custom_target',
  'feedback',
  'label',
  'notification',
  'release',
  'stream',
  'upload',
] as const
export type EventType = (typeof eventTypes)[number]

/** The reasons why the server closes a stream, with the message for each reason. */
export const endReasons = {
  server_stopping: 'The server is stopping. Reconnect with the ID of the last event.',
  too_slow: 'The client did not read the events fast enough. Reconnect with the ID of the last event.',
  unavailable: 'The changes cannot be read right now. Reconnect with the ID of the last event.',
  key_invalid: 'The API key or session was revoked or has expired.',
  access_changed: 'Your access has changed. Reconnect with the ID of the last event.',
  application_deleted: 'The application was deleted.',
} as const
export type EndReason = keyof typeof endReasons

const field = (name: string, value: string): string => `${name}: ${value}\n`

/**
 * Renders one change as an event. `after` is the place up to which the client has received changes, and `isFirst` is set
 * if none of them can have reported that the resource was created.
 */
export function changeText(change: LoggedChange, after: ChangePosition, isFirst = false): string {
  const { type, id, application_id, changed_at } = change
  const cursor = positionText(change)
  const data = { type, id, action: actionOf(change, after, isFirst), application_id, changed_at, cursor }
  return `${field('event', 'change')}${field('id', cursor)}${field('data', JSON.stringify(data))}\n`
}

/** Returns `created` if the client has not received the creation of the resource, even if it has changed since. */
function actionOf(change: LoggedChange, after: ChangePosition, isFirst: boolean) {
  const { is_deleted, listed_position, type, id, owner } = change
  if (is_deleted) return 'deleted'
  if (listed_position === null) return 'updated'
  return isFirst || isAfter({ position: listed_position, type, id, owner }, after) ? 'created' : 'updated'
}

/** Renders the start of a stream: the reconnection delay and, for a client without a cursor, its first cursor. */
export function startText(start: ChangePosition | undefined, retryMs: number): string {
  const retry = field('retry', String(retryMs))
  if (start === undefined) return `${retry}: resumed\n\n`
  const cursor = positionText(start)
  return `${retry}${field('event', 'ready')}${field('id', cursor)}${field('data', JSON.stringify({ cursor }))}\n`
}

/** Renders a comment that keeps the connection open. The ID advances the cursor of a client without new events. */
export const heartbeatText = (place: ChangePosition | undefined): string =>
  `: heartbeat\n${place === undefined ? '' : field('id', positionText(place))}\n`

export const endText = (reason: EndReason): string =>
  `${field('event', 'end')}${field('data', JSON.stringify({ reason, message: endReasons[reason] }))}\n`
