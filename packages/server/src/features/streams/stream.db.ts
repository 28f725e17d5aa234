import { sql } from 'kysely'
import { requireApplication } from '../../access/application.db.ts'
import { nameOrder, selectInputs } from '../../database/expressions.ts'
import type { Db, Executor, Tx } from '../../database/transaction.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import { invalid } from '../../http/endpoint/validation.ts'
import { shortId } from '../../lib/ids.ts'
import { notFound } from '../../lib/problem.ts'
import { listDefaultStreamsOf } from './default-stream.db.ts'
import { nameIsId, unknownStream, type StreamFields } from './stream.ts'

const columns = ['id', 'name', 'description', 'retention_days', 'created_at', 'updated_at'] as const
const streamColumns = columns.map((column) => `streams.${column}` as const)

export async function listActiveStreams(db: Executor, applicationId: string) {
  return (
    db
      .selectFrom('streams')
      .select(columns)
      .where('application_id', '=', applicationId)
      .where('is_active', '=', true)
      .where('moving_to', 'is', null)
      .orderBy('created_at')
      // Streams copied into a new application all have the same creation time, so the name breaks ties.
      .orderBy(nameOrder('name'))
      .execute()
  )
}

/** Lists the names of the streams that builds can be uploaded or moved to. */
export async function listStreamNames(db: Executor, applicationId: string): Promise<string[]> {
  return (await listActiveStreams(db, applicationId)).map(({ name }) => name)
}

/** Lists the streams with a retention period, except deleted streams and streams of deleted applications. */
export async function listStreamsWithRetention(db: Executor) {
  return db
    .selectFrom('streams')
    .innerJoin('applications', 'applications.id', 'streams.application_id')
    .select(['streams.id', 'streams.application_id', 'applications.workspace_id'])
    .where('streams.retention_days', 'is not', null)
    .where('streams.moving_to', 'is', null)
    .where('applications.deleted_at', 'is', null)
    .orderBy('streams.id')
    .execute()
}

/** Returns the row with this ID or, failing that, the first row. The name of one stream may be the ID of another. */
const preferId = <Row extends { id: string }>(rows: Row[], idOrName: string): Row | undefined =>
  rows.find(({ id }) => id === idOrName) ?? rows[0]

/**
 * Loads the application, and the stream that the path identifies by ID or, failing that, by name; throws 404 if either
 * does not exist.
 */
export async function requireStreamOfPath(call: {
  db: Db
  actor: Actor
  params: { application_id: string; stream_identifier: string }
}) {
  const { application_id, stream_identifier } = call.params
  const application = await requireApplication(call.db, call.actor, application_id)
  const rows = await selectStreamsNamed(call.db, application.id, [stream_identifier])
    .select(streamColumns)
    .execute()
  const stream = preferId(rows, stream_identifier)
  if (stream === undefined) throw notFound()
  return { application, stream }
}

/** Returns the stream with this ID or name, and the IDs of deleted streams whose builds are still being moved to it. */
export async function requireStreamWithMoving(db: Executor, applicationId: string, idOrName: string) {
  const row = preferId(
    await selectStreamsWithMoving(db, applicationId, [idOrName]).select(streamColumns).execute(),
    idOrName,
  )
  if (row === undefined) throw notFound()
  return row
}

/** Selects the ID of the stream with this name that builds can be uploaded to. */
export const selectStreamByName = (db: Executor, applicationId: string, name: string) =>
  db
    .selectFrom('streams')
    .select('streams.id')
    .where('streams.application_id', '=', applicationId)
    .where('streams.name', '=', name)
    .where('streams.is_active', '=', sql.lit(true))
    .where('streams.moving_to', 'is', null)

const selectStreamsNamed = (db: Executor, applicationId: string, idsOrNames: string[]) =>
  selectInputs(db, idsOrNames)
    .innerJoin('streams', (join) =>
      join.on(sql<boolean>`(streams.id = input.requested or lower(streams.name) = lower(input.requested))`),
    )
    .select('streams.id')
    .where('streams.application_id', '=', applicationId)
    .where('streams.moving_to', 'is', null)

/** Selects streams by ID or name, with the IDs of deleted streams whose builds are still being moved to them. */
export const selectStreamsWithMoving = (db: Executor, applicationId: string, idsOrNames: string[]) =>
  selectStreamsNamed(db, applicationId, idsOrNames).select(
    sql<string[]>`array(select moving.id from streams as moving where moving.moving_to = streams.id)`.as(
      'moving_ids',
    ),
  )

/** Returns the ID of the stream with this ID or name; throws 422 with an error for `field` if there is none. */
export async function requireStreamId(
  db: Executor,
  applicationId: string,
  idOrName: string,
  field = 'stream',
): Promise<string> {
  const row = preferId(await selectStreamsNamed(db, applicationId, [idOrName]).execute(), idOrName)
  if (row === undefined)
    throw invalid({ [field]: [unknownStream(idOrName, await listStreamNames(db, applicationId))] })
  return row.id
}

/** Copies the default streams of the workspace into a new application. */
export async function insertStreamsFromDefaults(tx: Tx, workspaceId: string, applicationId: string) {
  const defaults = await listDefaultStreamsOf(tx, workspaceId)
  if (defaults.length === 0) return
  // The copies have the same creation time, so their IDs are assigned in ascending order to preserve the order of the
  // default streams.
  const ids = defaults.map(() => shortId(10)).toSorted((a, b) => (a < b ? -1 : 1))
  const rows = defaults.map(({ name, description, retention_days }, index) => ({
    id: ids[index] ?? shortId(10),
    application_id: applicationId,
    name,
    description,
    retention_days,
  }))
  await tx.insertInto('streams').values(rows).execute()
}

/**
 * Throws 409 if the name is the ID of a stream, because a path or filter with this name would select that stream
 * instead.
 */
export async function requireNameIsNoId(tx: Tx, applicationId: string, name: string): Promise<void> {
  const row = await tx
    .selectFrom('streams')
    .select('id')
    .where('application_id', '=', applicationId)
    .where('id', '=', sql<string>`lower(${name}::text)`)
    .executeTakeFirst()
  if (row !== undefined) throw nameIsId({ name })
}

export async function insertStream(tx: Tx, applicationId: string, fields: StreamFields) {
  return tx
    .insertInto('streams')
    .values({ id: shortId(10), application_id: applicationId, ...fields })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/**
 * Locks the stream so that no build can be added before the transaction ends, and returns it; throws 404 if it was
 * deleted.
 */
export async function requireLockedStream(tx: Tx, id: string) {
  return tx
    .selectFrom('streams')
    .select(columns)
    .where('id', '=', id)
    .where('moving_to', 'is', null)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound)
}

export async function saveStream(tx: Tx, id: string, changes: Partial<StreamFields>) {
  return tx
    .updateTable('streams')
    .set(changes)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function removeStream(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('streams').where('id', '=', id).execute()
}
