import { sql, type RawBuilder } from 'kysely'
import type { Executor, Tx } from '../../database/transaction.ts'

/** How long unreferenced bytes and objects are kept before they are treated as orphans. */
export const orphanGraceHours = 48

/**
 * Lists the foreign keys to stored objects. They are read from PostgreSQL's catalog, so that a new table that refers to
 * stored objects cannot be overlooked. A row that is deleted with its object does not keep the object.
 */
export async function listReferences(db: Executor): Promise<{ table: string; column: string }[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    select pg_class.relname as table, attname as column
    from pg_constraint join pg_class on pg_class.oid = conrelid
      join pg_attribute on attrelid = conrelid and attnum = any(conkey)
    where contype = 'f' and confrelid = 'stored_objects'::regclass and confdeltype <> 'c'
    order by 1, 2`.execute(db)
  return rows
}

type References = Awaited<ReturnType<typeof listReferences>>

function isReferenced(references: References): RawBuilder<boolean> {
  const conditions = references.map(
    ({ table, column }) =>
      sql`exists (select from ${sql.table(table)} as r where ${sql.ref(`r.${column}`)} = stored_objects.key)`,
  )
  return sql<boolean>`(${sql.join([sql`false`, ...conditions], sql` or `)})`
}

const isPastGracePeriod = (graceDays: number) =>
  sql<boolean>`stored_objects.deleted_at <= now() - make_interval(days => ${graceDays}::int)`

/** Lists keys greater than `afterKey` whose grace period has ended. */
export async function listOverdueKeys(
  db: Executor,
  graceDays: number,
  afterKey: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('stored_objects')
    .select('key')
    .where(isPastGracePeriod(graceDays))
    .where('key', '>', afterKey)
    .orderBy('key')
    .limit(limit)
    .execute()
  return rows.map(({ key }) => key)
}

/**
 * Locks an overdue object until the end of the transaction. Returns undefined if it no longer exists or is already
 * locked.
 */
export async function lockOverdueObject(tx: Tx, key: string, graceDays: number) {
  return tx
    .selectFrom('stored_objects')
    .select('size_bytes')
    .where('key', '=', key)
    .where(isPastGracePeriod(graceDays))
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

/** Returns whether a row still refers to the object. If so, removes the object's deletion mark. */
export async function unmarkReferencedObject(tx: Tx, key: string, references: References): Promise<boolean> {
  const row = await tx
    .updateTable('stored_objects')
    .set({ deleted_at: null })
    .where('key', '=', key)
    .where(isReferenced(references))
    .returning('key')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Deletes the row of an overdue object. The caller must have deleted its bytes. Marks the objects whose files it used if
 * nothing else refers to them, because they would otherwise look like objects that lost their owners.
 */
export async function deleteStoredObject(
  tx: Tx,
  key: string,
  graceDays: number,
  references: References,
): Promise<void> {
  const sources = await tx
    .selectFrom('stored_object_sources')
    .select('source_key')
    .where('key', '=', key)
    .execute()
  await tx.deleteFrom('stored_objects').where('key', '=', key).where(isPastGracePeriod(graceDays)).execute()
  await markIfUnreferenced(
    tx,
    sources.map(({ source_key }) => source_key),
    references,
  )
}

/** Marks those of the objects that no row refers to. Returns their keys. */
export async function markIfUnreferenced(
  tx: Tx,
  keys: readonly string[],
  references: References,
): Promise<string[]> {
  if (keys.length === 0) return []
  const marked = await tx
    .updateTable('stored_objects')
    .set({ deleted_at: sql`now()` })
    .where(sql<boolean>`key = any(${keys})`)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`not ${isReferenced(references)}`)
    .returning('key')
    .execute()
  return marked.map(({ key }) => key)
}

/**
 * Returns the next `limit` objects after `afterKey` and, for each of them, whether it is unmarked and whether it can be
 * marked.
 */
async function examineObjects(db: Executor, references: References, afterKey: string, limit: number) {
  const rows = await db
    .selectFrom('stored_objects')
    .select([
      'key',
      sql<boolean>`deleted_at is null`.as('is_unmarked'),
      sql<boolean>`deleted_at is null and created_at < now() - make_interval(hours => ${orphanGraceHours}::int)
        and not ${isReferenced(references)}`.as('is_unreferenced'),
    ])
    .where('key', '>', afterKey)
    .orderBy('key')
    .limit(limit)
    .execute()
  return { rows, lastKey: rows.length < limit ? undefined : rows.at(-1)?.key }
}

/** Returns how many objects `markUnreferencedObjects` would mark and how many objects are not marked yet. */
export async function countUnreferencedObjects(
  db: Executor,
  references: References,
  afterKey: string,
  limit: number,
): Promise<{ found: number; examined: number; lastKey: string | undefined }> {
  const { rows, lastKey } = await examineObjects(db, references, afterKey, limit)
  const found = rows.filter(({ is_unreferenced }) => is_unreferenced).length
  return { found, examined: rows.filter(({ is_unmarked }) => is_unmarked).length, lastKey }
}

/**
 * Marks objects that are at least 48 hours old and that no row refers to, among the next `limit` objects after
 * `afterKey`. `lastKey` is undefined once all objects have been examined.
 */
export async function markUnreferencedObjects(
  tx: Tx,
  references: References,
  afterKey: string,
  limit: number,
): Promise<{ markedKeys: string[]; lastKey: string | undefined }> {
  const { rows, lastKey } = await examineObjects(tx, references, afterKey, limit)
  const candidates = rows.filter(({ is_unreferenced }) => is_unreferenced).map(({ key }) => key)
  return { markedKeys: await markIfUnreferenced(tx, candidates, references), lastKey }
}
