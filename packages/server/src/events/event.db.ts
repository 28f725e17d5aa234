import { sql } from 'kysely'
import type { Executor, Tx } from '../database/transaction.ts'
import type { Deleter } from './trash-state.ts'

type Row = { id: string; workspace_id: string; application_id: string | null }

export type NewEntry = Row & {
  action: string
  subject_type: string
  subject_id: string
  actor_kind: string
  actor_id: string | null
  actor_name: string
  address: string | null
  before: unknown
  after: unknown
}

export type NewEvent = Row & { name: string; data: unknown }

/**
 * Inserts audit entries and events in one statement. Rows are passed as JSON, because with one parameter per column,
 * inserting a thousand rows used 150 MB of memory and most of the time was spent on the parameters.
 */
export async function insertChanges(tx: Tx, entries: NewEntry[], events: NewEvent[]): Promise<void> {
  if (entries.length === 0) return
  await sql`
    with entries as (
      insert into audit_entries (id, workspace_id, application_id, action, subject_type, subject_id, actor_kind,
        actor_id, actor_name, address, before, after)
      select * from json_to_recordset(${JSON.stringify(entries)}::json) as entry (id uuid, workspace_id text,
        application_id text, action text, subject_type text, subject_id text, actor_kind text, actor_id text,
        actor_name text, address inet, before jsonb, after jsonb)
    )
    insert into events (id, workspace_id, application_id, name, data)
    select * from json_to_recordset(${JSON.stringify(events)}::json) as event (id uuid, workspace_id text,
      application_id text, name text, data jsonb)`.execute(tx)
}

/**
 * Selects the actor who moved a row of `builds` or `applications` to the trash, or null if the audit log has no entry
 * for it.
 */
export function selectDeletedBy(type: 'build' | 'application') {
  const table = `${type}s`
  return sql<Deleter | null>`case when ${sql.ref(`${table}.deleted_at`)} is not null then (
    select json_build_object('kind', actor_kind, 'id', actor_id, 'name', actor_name) from audit_entries
    where audit_entries.workspace_id = ${sql.ref(`${table}.workspace_id`)} and subject_type = ${sql.lit(type)}
      and subject_id = ${sql.ref(`${table}.id`)} and action = ${sql.lit(`${type}.deleted`)}
    order by audit_entries.created_at desc limit 1) end`
}

export async function hasUndispatchedEvents(db: Executor): Promise<boolean> {
  const row = await db
    .selectFrom('events')
    .select('id')
    .where('dispatched_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Marks up to `limit` events as dispatched, the oldest first, and returns their IDs. Concurrent transactions take
 * different events.
 */
export async function takeUndispatchedEvents(tx: Tx, limit: number): Promise<string[]> {
  const oldest = tx
    .selectFrom('events')
    .select('id')
    .where('dispatched_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .skipLocked()
  const rows = await tx
    .updateTable('events')
    .set({ dispatched_at: sql<string>`now()` })
    .where('id', 'in', oldest)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Deletes up to `limit` events of the application. Returns the number deleted. */
export async function deleteSomeEventsOfApplication(
  db: Executor,
  applicationId: string,
  limit: number,
): Promise<number> {
  const some = db.selectFrom('events').select('id').where('application_id', '=', applicationId).limit(limit)
  const result = await db.deleteFrom('events').where('id', 'in', some).executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Deletes up to `limit` events that were dispatched more than `days` days ago. Returns the number deleted. */
export async function deleteSomeDispatchedEvents(db: Executor, days: number, limit: number): Promise<number> {
  const some = db
    .selectFrom('events')
    .select('id')
    .where(sql<boolean>`dispatched_at < now() - make_interval(days => ${days}::int)`)
    .limit(limit)
  const result = await db.deleteFrom('events').where('id', 'in', some).executeTakeFirst()
  return Number(result.numDeletedRows)
}
