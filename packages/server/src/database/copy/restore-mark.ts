import type pg from 'pg'

/*
 * A comment on a table marks a database that a restore has filled, because it is set in the same transaction, needs no
 * migration and has no effect on a server.
 */
const prefix = 'restore '

/** Marks the database as filled by this restore. */
export async function markRestored(writer: pg.Client, restoreId: string): Promise<void> {
  const text = writer.escapeLiteral(`${prefix}${restoreId}`)
  await writer.query(`comment on table public.schema_migrations is ${text}`)
}

/** Returns the ID of the restore that has filled the database; undefined for any other database. */
export async function findRestoreMark(writer: pg.Client): Promise<string | undefined> {
  const { rows } = await writer.query<{ text: string | null }>(
    `select obj_description(to_regclass('public.schema_migrations'), 'pg_class') as text`,
  )
  const text = rows[0]?.text ?? ''
  return text.startsWith(prefix) ? text.slice(prefix.length) : undefined
}

export async function removeRestoreMark(writer: pg.Client): Promise<void> {
  await writer.query('comment on table public.schema_migrations is null')
}
