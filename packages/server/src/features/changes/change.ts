import { setTimeout as pause } from 'node:timers/promises'
import { Type, type Static } from 'typebox'
import type { ApplicationRef } from '../../access/application.db.ts'
import type { Config } from '../../config/config.ts'
import type { Executor } from '../../database/transaction.ts'
import { decodeCursor, encodeCursor } from '../../http/endpoint/cursor.ts'
import { Nullable, Timestamp } from '../../http/endpoint/fields.ts'
import { invalid } from '../../http/endpoint/validation.ts'
import { problem } from '../../lib/problem.ts'
import { readTime } from '../../lib/time.ts'
import { listBuildsByIds, listWithFiles } from '../builds/build.db.ts'
import { FullBuild } from '../builds/build.ts'
import { ChangedRelease, listChangedReleases } from '../releases/release.ts'
import {
  findLatestPosition,
  listChangeRows,
  listMembers,
  type ChangeRow,
  type FeedPosition,
  type Member,
} from './change.db.ts'

// Omits the two fields whose values can change without a change to the build, for example when a share link expires.
const { properties: buildFields } = Type.Omit(FullBuild, ['expires_at', 'kept_by'])
const ChangedBuild = Type.Object(buildFields, { title: 'ChangedBuild' })

export const Change = Type.Object(
  {
    type: Type.Enum(['build', 'release']),
    id: Type.String(),
    deleted: Type.Boolean({
      description:
        'Whether the build or release was deleted, moved to the trash or purged. If so, `build` and `release` are `null`.',
    }),
    build: Nullable(ChangedBuild),
    release: Nullable(ChangedRelease),
    changed_at: Timestamp,
  },
  { title: 'Change' },
)

/** How far a client has read an application's feed. */
export type Cursor = ApplicationRef & {
  includesReleases: boolean
  after: FeedPosition
  /**
   * The last member that was read if the row at `after` was read only partially, or null if it was read completely.
   */
  member: { at: string; id: string } | null
}

const feed = 'changes.1'

export const cursorText = ({ applicationId, includesReleases, after, member }: Cursor): string =>
  encodeCursor([
    feed,
    applicationId,
    includesReleases,
    after.start,
    after.position,
    after.type,
    after.id,
    member?.at ?? null,
    member?.id ?? null,
  ])

/** Decodes a cursor sent by a client; throws 422 if it is not a cursor of this application's feed. */
export function readCursor(text: string, application: ApplicationRef): Cursor {
  const values = decodeCursor(text, feed) ?? []
  const [, applicationId, includesReleases, start, position, type, id, at, memberId] = values
  if (
    values.length !== 9 ||
    applicationId !== application.applicationId ||
    typeof includesReleases !== 'boolean' ||
    typeof start !== 'number' ||
    typeof position !== 'number' ||
    typeof type !== 'string' ||
    typeof id !== 'string' ||
    !(at === null || typeof at === 'string') ||
    !(memberId === null || typeof memberId === 'string')
  )
    throw invalid({
      cursor: ['must be the `cursor` of an earlier response. Omit it to start from the beginning.'],
    })
  const member = at === null || memberId === null ? null : { at: memberAt(type, at), id: memberId }
  return { ...application, includesReleases, after: { start, position, type, id }, member }
}

// The members of a stream or custom target are listed by creation time, so `at` must be a timestamp for them.
const memberAt = (type: string, at: string): string =>
  type === 'stream' || type === 'custom_target' ? (readTime(at) ?? '') : at

/** Returns the initial cursor, which precedes all existing builds and releases. */
export async function startCursor(
  db: Executor,
  application: ApplicationRef,
  includesReleases: boolean,
): Promise<Cursor> {
  const start = await findLatestPosition(db, application)
  return { ...application, includesReleases, after: { start, position: 0, type: '', id: '' }, member: null }
}

/**
 * How long a request waits for transactions that began before the latest change. Without this, a client that reads the
 * feed right after its own change would often not find it.
 */
const maxWaitMs = 10_000
const maxPauseMs = 200

type Found = { type: Member['type']; id: string; changedAt: string; isOwnRow: boolean }

/** Reads the page after a cursor; throws 410 if the changes after it are no longer available. */
export async function readPage(db: Executor, cursor: Cursor, limit: number, config: Config) {
  const { rows, committedBefore, droppedPosition } = await listRowsOnceCommitted(db, cursor, limit)
  const { start, position } = cursor.after
  if (droppedPosition !== null && droppedPosition > start && droppedPosition >= position)
    throw cursorExpired()
  if (position > committedBefore || start > committedBefore) throw cursorUnknown()
  const { found, next } = await collect(db, cursor, rows, limit)
  return {
    data: await resolve(db, cursor, found, config),
    cursor: next ?? endOf(cursor, rows),
    hasMore: next !== undefined,
  }
}

/**
 * Lists the rows of a page and the first row after it. If there is none, waits until all changes that were committed
 * before the call can be read, or for `maxWaitMs`.
 */
async function listRowsOnceCommitted(db: Executor, cursor: Cursor, limit: number) {
  const list = () =>
    listChangeRows(db, cursor, cursor.after, { isInclusive: cursor.member !== null, limit: limit + 1 })
  const deadline = performance.now() + maxWaitMs
  let page = await list()
  const { latestPosition } = page
  for (let pauseMs = 5; page.rows.length <= limit && page.committedBefore <= latestPosition; pauseMs *= 2) {
    if (performance.now() > deadline) break
    await pause(Math.min(pauseMs, maxPauseMs))
    page = await list()
  }
  return page
}

/**
 * Collects up to `limit` builds and releases from the rows; `next` is the cursor to resume from if there may be more.
 */
async function collect(
  db: Executor,
  cursor: Cursor,
  rows: ChangeRow[],
  limit: number,
): Promise<{ found: Found[]; next?: Cursor }> {
  const found: Found[] = []
  let last: Cursor = cursor
  for (const row of rows) {
    if (found.length >= limit) return { found, next: last }
    const changedAt = row.changed_at
    const after = { start: cursor.after.start, position: row.position, type: row.type, id: row.resource_id }
    if (row.type === 'build' || row.type === 'release') {
      found.push({ type: row.type, id: row.resource_id, changedAt, isOwnRow: true })
    } else {
      const isResumed =
        cursor.after.position === row.position &&
        cursor.after.type === row.type &&
        cursor.after.id === row.resource_id
      const from = (isResumed ? cursor.member : null) ?? { at: '', id: '' }
      const room = limit - found.length
      const members = await listMembers(db, cursor, row, from, room)
      found.push(...members.map(({ type, id }) => ({ type, id, changedAt, isOwnRow: false })))
      const lastMember = members.at(-1)
      if (members.length === room && lastMember !== undefined)
        return { found, next: { ...cursor, after, member: { at: lastMember.at, id: lastMember.id } } }
    }
    last = { ...cursor, after, member: null }
  }
  // Some rows represent no build or release, so a page may be empty although more rows follow.
  return rows.length > limit ? { found, next: last } : { found }
}

/** Returns the cursor for the changes after these rows. The cursor remains valid after the rows are dropped. */
function endOf(cursor: Cursor, rows: ChangeRow[]): Cursor {
  const last = rows.at(-1)
  const position = last === undefined ? cursor.after.position : last.position + 1
  const { start } = cursor.after
  return last === undefined && cursor.member === null
    ? cursor
    : { ...cursor, after: { start, position, type: '', id: '' }, member: null }
}

async function resolve(
  db: Executor,
  { applicationId }: Cursor,
  found: Found[],
  config: Config,
): Promise<Static<typeof Change>[]> {
  const idsOf = (type: Found['type']) => [
    ...new Set(found.flatMap((each) => (each.type === type ? [each.id] : []))),
  ]
  const builds = new Map(
    (await listChangedBuilds(db, applicationId, idsOf('build'), config)).map((each) => [each.id, each]),
  )
  const releases = new Map(
    (await listChangedReleases(db, applicationId, idsOf('release'))).map((each) => [each.id, each]),
  )
  const changes = new Map<string, Static<typeof Change>>()
  for (const { type, id, changedAt, isOwnRow } of found) {
    const build = type === 'build' ? (builds.get(id) ?? null) : null
    const release = type === 'release' ? (releases.get(id) ?? null) : null
    const deleted = build === null && release === null
    // A deleted member has its own row in the feed, which reports the deletion.
    if (deleted && !isOwnRow) continue
    changes.set(`${type} ${id}`, { type, id, deleted, build, release, changed_at: changedAt })
  }
  return [...changes.values()]
}

async function listChangedBuilds(db: Executor, applicationId: string, ids: string[], config: Config) {
  if (ids.length === 0) return []
  const rows = await listBuildsByIds(db, ids)
  const builds = await listWithFiles(
    db,
    rows.filter((row) => row.application_id === applicationId),
    config,
  )
  return builds.map(({ expires_at: _, ...build }) => build)
}

export const cursorExpired = problem(
  'gone',
  'changes.cursor_expired',
  'This cursor is older than 30 days, and the deletions after it are no longer available. Start over without a cursor, and delete everything that the new feed does not list.',
)

export const cursorUnknown = problem(
  'gone',
  'changes.cursor_unknown',
  'This cursor is newer than the database, which was probably restored from a backup. Start over without a cursor, and delete everything that the new feed does not list.',
)
