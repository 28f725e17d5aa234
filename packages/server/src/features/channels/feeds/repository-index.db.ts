import { sql } from 'kysely'
import type { Executor, Tx } from '../../../database/transaction.ts'
import type { IndexDocument, RepositoryIndex } from '../adapters/adapter.ts'

/** Selects an index of a channel: its format, and the cohorts for which it was created. */
export type IndexKey = { channelId: string; format: string; audience: string }

export type IndexRow = { id: string; digest: Buffer; created_at: string; is_due: boolean }

/** Finds the index that clients get now. `is_due` states whether it is time to sign it again. */
export async function findCurrentIndex(
  db: Executor,
  { channelId, format, audience }: IndexKey,
  { renewedAfterHours }: { renewedAfterHours: number },
): Promise<IndexRow | undefined> {
  return db
    .selectFrom('repository_indexes')
    .select([
      sql<string>`id::text`.as('id'),
      'digest',
      'created_at',
      sql<boolean>`created_at < now() - make_interval(hours => ${renewedAfterHours})`.as('is_due'),
    ])
    .where('channel_id', '=', channelId)
    .where('format', '=', format)
    .where('audience', '=', audience)
    .where('superseded_at', 'is', null)
    .executeTakeFirst()
}

/**
 * Lets one transaction at a time replace the index of a channel. Returns false if the channel was deleted. An update of the
 * channel waits as well, so that it is not lost.
 */
export async function lockIndexes(tx: Tx, { channelId }: IndexKey): Promise<boolean> {
  const channel = await tx
    .selectFrom('channels')
    .select('id')
    .where('id', '=', channelId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return channel !== undefined
}

/**
 * Returns the time of the database in whole seconds, and never a time before `latest`. F-Droid ignores an index with the time
 * of the one that it knows, so the time of an index with an X.509 signature increases, in milliseconds.
 */
export async function readIndexTime(
  tx: Tx,
  latest: string | undefined,
  signedBy: RepositoryIndex['signedBy'],
): Promise<Date> {
  const previous = sql<string>`${latest ?? null}::timestamptz`
  const time =
    signedBy === 'openpgp'
      ? sql<string>`date_trunc('second', greatest(clock_timestamp(), ${previous}))`
      : sql<string>`date_trunc('milliseconds', greatest(clock_timestamp(), ${previous} + interval '1 millisecond'))`
  const row = await tx.selectNoFrom(time.as('time')).executeTakeFirstOrThrow()
  return new Date(row.time)
}

/** Replaces the current index. */
export async function replaceIndex(
  tx: Tx,
  { channelId, format, audience }: IndexKey,
  { digest, date, documents }: { digest: Buffer; date: Date; documents: readonly IndexDocument[] },
): Promise<string> {
  await tx
    .updateTable('repository_indexes')
    .set({ superseded_at: sql<string>`now()` })
    .where('channel_id', '=', channelId)
    .where('format', '=', format)
    .where('audience', '=', audience)
    .where('superseded_at', 'is', null)
    .execute()
  const { id } = await tx
    .insertInto('repository_indexes')
    .values({ channel_id: channelId, format, audience, digest, created_at: date })
    .returning(sql<string>`id::text`.as('id'))
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('repository_documents')
    .values(
      documents.map(({ paths, contentType, body }, position) => ({
        index_id: Number(id),
        position,
        paths: [...paths],
        content_type: contentType,
        body,
      })),
    )
    .execute()
  return id
}

/** Deletes the indexes of a channel that were replaced long ago, or that nobody has read for `unreadHours`. */
export async function dropOldIndexes(
  tx: Tx,
  channelId: string,
  { keptHours, unreadHours }: { keptHours: number; unreadHours: number },
): Promise<void> {
  await sql`
    delete from repository_indexes where channel_id = ${channelId}
      and (superseded_at < now() - make_interval(hours => ${keptHours})
        or superseded_at is null and created_at < now() - make_interval(hours => ${unreadHours}))`.execute(tx)
}

export async function listDocuments(db: Executor, indexId: string): Promise<IndexDocument[]> {
  const rows = await db
    .selectFrom('repository_documents')
    .select(['paths', 'content_type', 'body'])
    .where('index_id', '=', Number(indexId))
    .orderBy('position')
    .execute()
  return rows.map(({ paths, content_type: contentType, body }) => ({ paths, contentType, body }))
}

/** Finds a document at a path in the current and previous indexes of a channel, the newest first. */
export async function findDocument(
  db: Executor,
  { channelId, format, path }: { channelId: string; format: string; path: string },
): Promise<IndexDocument | undefined> {
  const { rows } = await sql<{ paths: string[]; content_type: string; body: Buffer }>`
    select paths, content_type, body from repository_documents
    where index_id in (select id from repository_indexes where channel_id = ${channelId} and format = ${format})
      and ${path} = any(paths)
    order by index_id desc limit 1`.execute(db)
  const [row] = rows
  return row && { paths: row.paths, contentType: row.content_type, body: row.body }
}
