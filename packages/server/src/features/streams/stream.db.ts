import { sql } from 'kysely'
import type { Executor, Tx } from '../../database/transaction.ts'
import { shortId } from '../../lib/ids.ts'
import { notFound } from '../../lib/problem.ts'
import { listDefaultStreams } from './default-stream.db.ts'

const columns = ['id', 'name', 'description', 'retention_days', 'created_at', 'updated_at'] as const

export async function listActiveStreams(db: Executor, applicationId: string) {
  return (
    db
      .selectFrom('streams')
      .select(columns)
      .where('application_id', '=', applicationId)
      .where('is_active', '=', true)
      .where('moving_to', 'is', null)
      .orderBy('created_at')
      // those copied into a new application are of one moment
      .orderBy(sql`lower(name)`)
      .execute()
  )
}

/** Streams whose builds do not stay for ever, of applications that are not in the trash; not those that were deleted. */
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

/** A stream may have the id of another one as its name: the id counts. */
const idFirst = <Row extends { id: string }>(rows: Row[], idOrName: string): Row | undefined =>
  rows.find(({ id }) => id === idOrName) ?? rows[0]

/** By id, or else by its exact name. */
export async function requireStream(db: Executor, applicationId: string, idOrName: string) {
  const rows = await selectStreamsNamed(db, applicationId, [idOrName]).select(columns).execute()
  const row = idFirst(rows, idOrName)
  if (row === undefined) throw notFound()
  return row
}

/** The same, with those whose builds are on their way there: they are shown in it. */
export async function requireStreamWithMoving(db: Executor, applicationId: string, idOrName: string) {
  const rows = await selectStreamsWithMoving(db, applicationId, [idOrName]).select(columns).execute()
  const row = idFirst(rows, idOrName)
  if (row === undefined) throw notFound()
  return row
}

export async function findStreamByName(db: Executor, applicationId: string, name: string) {
  return db
    .selectFrom('streams')
    .select(['id', 'name'])
    .where('application_id', '=', applicationId)
    .where('name', '=', name)
    .where('is_active', '=', true)
    .where('moving_to', 'is', null)
    .executeTakeFirst()
}

/** Streams behind ids or names. */
const selectStreamsNamed = (db: Executor, applicationId: string, idsOrNames: string[]) =>
  db
    .selectFrom('streams')
    .select(['streams.id', 'streams.name'])
    .where('application_id', '=', applicationId)
    .where('moving_to', 'is', null)
    .where((eb) =>
      eb.or([eb('id', '=', eb.fn.any(eb.val(idsOrNames))), eb('name', '=', eb.fn.any(eb.val(idsOrNames)))]),
    )

/** The same, with those whose builds are on their way there: they are shown in it. */
export const selectStreamsWithMoving = (db: Executor, applicationId: string, idsOrNames: string[]) =>
  selectStreamsNamed(db, applicationId, idsOrNames).select(
    sql<string[]>`array(select moving.id from streams as moving where moving.moving_to = streams.id)`.as(
      'moving_ids',
    ),
  )

/** The stream of that id, else of that name. */
export async function findStreamId(db: Executor, applicationId: string, idOrName: string) {
  const rows = await selectStreamsNamed(db, applicationId, [idOrName]).execute()
  return idFirst(rows, idOrName)?.id
}

/** Copies the workspace's templates into a new application. */
export async function insertStreamsFromDefaults(tx: Tx, workspaceId: string, applicationId: string) {
  const defaults = await listDefaultStreams(tx, workspaceId)
  if (defaults.length === 0) return
  // made in one moment, so that their ids alone keep the order of the templates
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

export type StreamFields = { name: string; description: string | null; retention_days: number | null }

export async function insertStream(tx: Tx, applicationId: string, fields: StreamFields) {
  return tx
    .insertInto('streams')
    .values({ id: shortId(10), application_id: applicationId, ...fields })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** Holds the stream until the end of the transaction: no build can be put into it meanwhile. */
export async function requireLockedStream(tx: Tx, id: string) {
  const row = await tx
    .selectFrom('streams')
    .select(columns)
    .where('id', '=', id)
    .where('moving_to', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw notFound()
  return row
}

export async function updateStream(tx: Tx, id: string, changes: Partial<StreamFields>) {
  return tx
    .updateTable('streams')
    .set(changes)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function deleteStreamRow(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('streams').where('id', '=', id).execute()
}
