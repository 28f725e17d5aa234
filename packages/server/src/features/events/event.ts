import { Type } from 'typebox'
import type { Executor } from '../../database/transaction.ts'
import { findLogBounds, type ChangeOwners } from '../../events/change-log.db.ts'
import { readPosition, type ChangePosition } from '../../events/change-position.ts'
import { endReasons, eventTypes, type EventType } from '../../events/event-text.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import { Nullable, Timestamp } from '../../http/endpoint/fields.ts'
import { scopesOfApplicationRole } from '../../http/endpoint/roles.ts'
import { invalid } from '../../http/endpoint/validation.ts'
import { problem } from '../../lib/problem.ts'

const Cursor = Type.String({
  description: 'The `id` of the event. Send it to resume the stream after this event.',
})

const ReadyEvent = Type.Object({ cursor: Cursor }, { title: 'ReadyEvent' })

const ChangeEvent = Type.Object(
  {
    type: Type.Enum([...eventTypes]),
    id: Type.String({ description: 'ID of the resource.' }),
    action: Type.Enum(['created', 'updated', 'deleted'], {
      description:
        '`created` also means restored from the trash, and `deleted` also means moved to the trash.',
    }),
    application_id: Nullable(
      Type.String({ description: 'Application of the resource; `null` if it belongs to the workspace.' }),
    ),
    changed_at: Timestamp,
    cursor: Cursor,
  },
  { title: 'ChangeEvent' },
)

const EndEvent = Type.Object(
  {
    reason: Type.Enum(Object.keys(endReasons) as (keyof typeof endReasons)[]),
    message: Type.String(),
  },
  { title: 'EndEvent' },
)

export const events = { ready: ReadyEvent, change: ChangeEvent, end: EndEvent }

export const EventQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      maxLength: 2000,
      description:
        'Resumes the stream after the event with this `cursor`. The header `Last-Event-ID` takes precedence.',
    }),
  ),
})

/** Returns the types of changes that the caller may receive. */
export function visibleTypes({ kind, scopes, session }: Actor): ReadonlySet<EventType> {
  const isVisible = (type: EventType): boolean => {
    if (type === 'notification') return session !== null
    if (type === 'release') return scopes.has('releases:read')
    return type !== 'application' || kind === 'application' || scopes.has('applications:read')
  }
  return new Set(eventTypes.filter(isVisible))
}

/**
 * Returns the applications whose uploads the caller may receive, or null for all that it can access. The scopes of a
 * member are those of all its roles, so the role in each application decides.
 */
export function uploadApplicationIds({ scopes, applicationIds, session }: Actor): ReadonlySet<string> | null {
  const roles = session?.applicationRoles ?? null
  if (roles === null) return scopes.has('builds:create') ? applicationIds : new Set()
  const mayUpload = (id: string): boolean => {
    const role = roles.get(id)
    return role !== undefined && scopesOfApplicationRole(role).has('builds:create')
  }
  return new Set([...(applicationIds ?? [])].filter(mayUpload))
}

type Sent = { lastEventId: string | undefined; after: string | undefined }

/**
 * Returns the place after which the client resumes, or undefined for a new stream. Throws 422 if the client sent an
 * invalid cursor, and 410 if the changes after the cursor are no longer available or it is newer than the database.
 */
export async function findResumePlace(
  db: Executor,
  owners: ChangeOwners,
  { lastEventId, after }: Sent,
): Promise<ChangePosition | undefined> {
  const [field, text] = lastEventId ? (['Last-Event-ID', lastEventId] as const) : (['after', after] as const)
  if (text === undefined || text === '') return undefined
  const place = readPosition(text)
  if (place === undefined)
    throw invalid({ [field]: ['must be the ID of an earlier event. Omit it to receive only new events.'] })
  const { committedBefore, droppedPosition } = await findLogBounds(db, owners)
  if (place.position > committedBefore) throw cursorUnknown()
  if (droppedPosition !== null && droppedPosition >= place.position) throw cursorExpired()
  return place
}

const startOver = 'Open the stream without a cursor, and load everything again.'

export const cursorExpired = problem(
  'gone',
  'events.cursor_expired',
  `This cursor is older than 30 days, and some changes after it are no longer available. ${startOver}`,
)

export const cursorUnknown = problem(
  'gone',
  'events.cursor_unknown',
  `This cursor is newer than the database, which was probably restored from a backup. ${startOver}`,
)
