import { sql } from 'kysely'
import type { Executor, Tx } from '../database/transaction.ts'

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
 * Inserts audit entries and events in one statement. Rows are passed as JSON because one parameter for each column of a
 * thousand rows used most of the time and 150 MB of memory.
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

/** Returns who last did this to each of the subjects, as far as the audit log reaches. */
export async function listLatestActors(
  db: Executor,
  workspaceId: string,
  { type, action, ids }: { type: string; action: string; ids: string[] },
) {
  const rows = await db
    .selectFrom('audit_entries')
    .distinctOn('subject_id')
    .select(['subject_id', 'actor_kind as kind', 'actor_id as id', 'actor_name as name'])
    .where('workspace_id', '=', workspaceId)
    .where('subject_type', '=', type)
    .where(sql<boolean>`subject_id = any(${ids})`)
    .where('action', '=', action)
    .orderBy('subject_id')
    .orderBy('created_at', 'desc')
    .execute()
  return new Map(rows.map(({ subject_id, ...actor }) => [subject_id, actor]))
}

/** Deletes up to `limit` events of the application and returns how many. */
export async function deleteSomeEventsOfApplication(
  db: Executor,
  applicationId: string,
  limit: number,
): Promise<number> {
  const some = db.selectFrom('events').select('id').where('application_id', '=', applicationId).limit(limit)
  const result = await db.deleteFrom('events').where('id', 'in', some).executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Deletes up to `limit` events dispatched more than `days` days ago, and returns how many. */
export async function deleteSomeDispatchedEvents(db: Executor, days: number, limit: number): Promise<number> {
  const some = db
    .selectFrom('events')
    .select('id')
    .where(sql<boolean>`dispatched_at < now() - make_interval(days => ${days}::int)`)
    .limit(limit)
  const result = await db.deleteFrom('events').where('id', 'in', some).executeTakeFirst()
  return Number(result.numDeletedRows)
}
