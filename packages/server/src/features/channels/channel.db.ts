import { sql, type Updateable } from 'kysely'
import { requireApplication, selectIsReachable } from '../../access/application.db.ts'
import { nameOrder } from '../../database/expressions.ts'
import type { Database } from '../../database/tables.ts'
import type { Db, Executor, Tx } from '../../database/transaction.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import { shortId } from '../../lib/ids.ts'
import { notFound } from '../../lib/problem.ts'

function selectChannels(db: Executor) {
  return (
    db
      .selectFrom('channels')
      .leftJoin('streams as published', 'published.id', 'channels.stream_id')
      // Builds of a deleted stream are shown in the stream to which they are being moved.
      .leftJoin('streams', (join) =>
        join.on(sql<boolean>`streams.id = coalesce(published.moving_to, published.id)`),
      )
      .selectAll('channels')
      .select(['streams.id as shown_stream_id', 'streams.name as stream_name'])
  )
}

export type ChannelRow = Awaited<ReturnType<ReturnType<typeof selectChannels>['executeTakeFirstOrThrow']>>

export async function listChannelRows(db: Executor, applicationId: string): Promise<ChannelRow[]> {
  return selectChannels(db)
    .where('channels.application_id', '=', applicationId)
    .orderBy(nameOrder('channels.name'))
    .orderBy('channels.id')
    .execute()
}

export async function requireChannel(db: Executor, applicationId: string, id: string): Promise<ChannelRow> {
  return selectChannels(db)
    .where('channels.application_id', '=', applicationId)
    .where('channels.id', '=', id)
    .executeTakeFirstOrThrow(notFound)
}

/** Loads the application and the channel that the path identifies; throws 404 if either does not exist. */
export async function requireChannelOfPath(call: {
  db: Db
  actor: Actor
  params: { application_id: string; channel_id: string }
}) {
  const application = await requireApplication(call.db, call.actor, call.params.application_id)
  return { application, channel: await requireChannel(call.db, application.id, call.params.channel_id) }
}

/** Loads only the IDs of the channel that the path identifies, with one statement; throws 404 if it does not exist. */
export async function requireChannelRefOfPath(call: {
  db: Db
  actor: Actor
  params: { application_id: string; channel_id: string }
}) {
  const { application_id, channel_id } = call.params
  const channel = await call.db
    .selectFrom('channels')
    .innerJoin('applications', 'applications.id', 'channels.application_id')
    .select(['channels.id', 'channels.application_id'])
    .where('channels.id', '=', channel_id)
    .where('channels.application_id', '=', application_id)
    .where('channels.workspace_id', '=', call.actor.workspaceId)
    .where('applications.deleted_at', 'is', null)
    .where(selectIsReachable(call.actor, 'channels.application_id'))
    .executeTakeFirstOrThrow(notFound)
  return { channel }
}

/** Locks the channel until the end of the transaction and returns it; throws 404 if it does not exist. */
export async function requireLockedChannel(tx: Tx, applicationId: string, id: string): Promise<ChannelRow> {
  await tx
    .selectFrom('channels')
    .select('id')
    .where('application_id', '=', applicationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound)
  return requireChannel(tx, applicationId, id)
}

export async function countChannels(tx: Tx, applicationId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('channels')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('application_id', '=', applicationId)
    .executeTakeFirstOrThrow()
  return count
}

/** Lists the names of the channels that publish a stream. */
export async function listChannelsOfStream(db: Executor, streamId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('channels')
    .select('name')
    .where('stream_id', '=', streamId)
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}

export type ChannelFields = {
  name: string
  stream_id: string | null
  includes_prereleases: boolean
  formats: string[]
  access: string
}

export async function insertChannel(
  tx: Tx,
  application: { id: string; workspace_id: string },
  fields: ChannelFields,
): Promise<string> {
  const id = shortId(10)
  const owner = { application_id: application.id, workspace_id: application.workspace_id }
  await tx
    .insertInto('channels')
    .values({ id, ...owner, ...fields })
    .execute()
  return id
}

/** Saves changes to a channel. Every node serves them within half a second. */
export async function saveChannel(
  tx: Tx,
  id: string,
  changes: Omit<Updateable<Database['channels']>, 'revision'> = {},
): Promise<void> {
  await tx
    .updateTable('channels')
    .set((eb) => ({ ...changes, revision: eb('revision', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export async function removeChannel(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('channels').where('id', '=', id).execute()
}

type PublishableRelease = {
  id: string
  application_id: string
  status: string
  version_extra: string | null
  version_sort: string
}

/**
 * Lists the channels that publish a release or builds of it, by name. A channel of releases is listed before the release
 * is published, and `is_newest` is about what clients get now.
 */
export async function listChannelsOfRelease(db: Executor, release: PublishableRelease) {
  const isNewestRelease = sql<boolean>`${release.status === 'published'} and not exists (
    select from releases as newer join release_builds on release_builds.release_id = newer.id
    where newer.application_id = channels.application_id and newer.version_sort > ${release.version_sort}
      and newer.status = 'published' and (channels.includes_prereleases or newer.version_extra is null))`
  const hasNewestBuild = sql<boolean>`exists (
    select from release_builds join builds on builds.id = release_builds.build_id
    where release_builds.release_id = ${release.id} and builds.stream_id = streams.id and builds.deleted_at is null
      and not exists (select from builds as newer where newer.application_id = channels.application_id
        and newer.stream_id = streams.id and newer.deleted_at is null and newer.version_sort > builds.version_sort))`
  const hasBuild = sql<boolean>`exists (
    select from release_builds join builds on builds.id = release_builds.build_id
    where release_builds.release_id = ${release.id} and builds.stream_id = streams.id and builds.deleted_at is null)`
  return selectChannels(db)
    .clearSelect()
    .select(['channels.id', 'channels.name', 'streams.name as stream_name'])
    .select(
      sql<boolean>`case when channels.stream_id is null then ${isNewestRelease} else ${hasNewestBuild} end`.as(
        'is_newest',
      ),
    )
    .where('channels.application_id', '=', release.application_id)
    .where(
      sql<boolean>`case when channels.stream_id is null
        then channels.includes_prereleases or ${release.version_extra}::text is null else ${hasBuild} end`,
    )
    .orderBy(nameOrder('channels.name'))
    .orderBy('channels.id')
    .execute()
}
