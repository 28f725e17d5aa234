import { sql, type RawBuilder } from 'kysely'
import type { Executor, Tx } from '../database/transaction.ts'

/** Foreign keys to stored objects, asked of the catalogue: a table that comes to refer to them cannot be forgotten. */
export async function listReferences(db: Executor): Promise<{ table: string; column: string }[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    select pg_class.relname as table, attname as column
    from pg_constraint join pg_class on pg_class.oid = conrelid
      join pg_attribute on attrelid = conrelid and attnum = any(conkey)
    where contype = 'f' and confrelid = 'stored_objects'::regclass
    order by 1, 2`.execute(db)
  return rows
}

type References = Awaited<ReturnType<typeof listReferences>>

function isReferenced(references: References): RawBuilder<boolean> {
  const each = references.map(
    ({ table, column }) =>
      sql`exists (select from ${sql.table(table)} as r where ${sql.ref(`r.${column}`)} = stored_objects.key)`,
  )
  return sql<boolean>`(${sql.join([sql`false`, ...each], sql` or `)})`
}

const isOver = (graceDays: number) =>
  sql<boolean>`stored_objects.deleted_at <= now() - make_interval(days => ${graceDays}::int)`

/** Keys whose time of grace is over, after the given one. */
export async function listOverdueKeys(
  db: Executor,
  graceDays: number,
  after: string,
  most: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('stored_objects')
    .select('key')
    .where(isOver(graceDays))
    .where('key', '>', after)
    .orderBy('key')
    .limit(most)
    .execute()
  return rows.map(({ key }) => key)
}

/** Holds an overdue object until the end of the transaction; undefined when it is gone, or another has it. */
export async function findLockedOverdueObject(tx: Tx, key: string, graceDays: number) {
  return tx
    .selectFrom('stored_objects')
    .select('size_bytes')
    .where('key', '=', key)
    .where(isOver(graceDays))
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

/** Takes the mark from an object that a row refers to all the same. */
export async function updateUsedObjectKept(tx: Tx, key: string, references: References): Promise<boolean> {
  const row = await tx
    .updateTable('stored_objects')
    .set({ deleted_at: null })
    .where('key', '=', key)
    .where(isReferenced(references))
    .returning('key')
    .executeTakeFirst()
  return row !== undefined
}

/** Once the bytes are gone. */
export async function deleteStoredObject(db: Executor, key: string, graceDays: number): Promise<void> {
  await db.deleteFrom('stored_objects').where('key', '=', key).where(isOver(graceDays)).execute()
}

/** Looks through the next objects for those that no row has referred to for two days, and marks them. */
export async function updateForgottenObjectsDeleted(
  tx: Tx,
  references: References,
  after: string,
  most: number,
): Promise<{ forgotten: string[]; last: string | undefined }> {
  const seen = await tx
    .selectFrom('stored_objects')
    .select([
      'key',
      sql<boolean>`deleted_at is null and created_at < now() - interval '48 hours'
        and not ${isReferenced(references)}`.as('is_forgotten'),
    ])
    .where('key', '>', after)
    .orderBy('key')
    .limit(most)
    .execute()
  const last = seen.length < most ? undefined : seen.at(-1)?.key
  const candidates = seen.filter(({ is_forgotten }) => is_forgotten).map(({ key }) => key)
  if (candidates.length === 0) return { forgotten: [], last }
  const marked = await tx
    .updateTable('stored_objects')
    .set({ deleted_at: sql`now()` })
    .where(sql<boolean>`key = any(${candidates})`)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`not ${isReferenced(references)}`)
    .returning('key')
    .execute()
  return { forgotten: marked.map(({ key }) => key), last }
}
