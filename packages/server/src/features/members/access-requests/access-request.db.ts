import { sql, type RawBuilder } from 'kysely'
import { requireApplication, type ApplicationRef } from '../../../access/application.db.ts'
import { selectMemberReaches } from '../../../access/member.db.ts'
import { asUuid } from '../../../database/expressions.ts'
import type { Db, Executor, Tx } from '../../../database/transaction.ts'
import type { Actor } from '../../../http/endpoint/actor.ts'
import type { Page } from '../../../http/endpoint/pagination.ts'
import { notFound } from '../../../lib/problem.ts'
import { openDays, type AccessRequestRow } from './access-request.ts'

const period = sql`make_interval(days => ${sql.lit(openDays)})`

/** Selects whether the request `r` waits for a decision. */
export const selectIsAccessRequestOpen = sql<boolean>`(r.closed_at is null and r.created_at > now() - ${period}
  and (select effective.role from effective_application_roles effective
    where effective.application_id = r.application_id and effective.workspace_id = r.workspace_id
      and effective.user_id = r.user_id) is null)`

const requests = sql`access_requests r
  join workspace_members m on m.workspace_id = r.workspace_id and m.user_id = r.user_id
  join users u on u.id = r.user_id`

const columns = sql`r.id, r.application_id, r.user_id, m.name, u.email, u.profile_photo_url, u.photo_object_key,
  r.message, r.created_at, r.created_at + ${period} as expires_at, ${selectIsAccessRequestOpen} as is_open`

const inApplication = ({ applicationId, workspaceId }: ApplicationRef): RawBuilder<boolean> =>
  sql`r.application_id = ${applicationId} and r.workspace_id = ${workspaceId}`

/** Lists the open requests for the application, the oldest first, with their number. */
export async function listAccessRequestsPage(db: Executor, owner: ApplicationRef, { limit, offset }: Page) {
  const { rows } = await sql<AccessRequestRow>`
    select ${columns} from ${requests} where ${inApplication(owner)} and ${selectIsAccessRequestOpen}
    order by r.created_at, r.id limit ${limit} offset ${offset}`.execute(db)
  const counted = await sql<{ total: number }>`
    select count(*) as total from ${requests} where ${inApplication(owner)} and ${selectIsAccessRequestOpen}`.execute(
    db,
  )
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

/** Loads the application and the request that the path identifies, even if the request is closed. */
export async function requireAccessRequestOfPath(call: {
  db: Db
  actor: Actor
  params: { application_id: string; access_request_id: string }
}) {
  const { id: applicationId, workspace_id: workspaceId } = await requireApplication(
    call.db,
    call.actor,
    call.params.application_id,
  )
  const owner = { applicationId, workspaceId }
  return { owner, request: await requireAccessRequest(call.db, owner, call.params.access_request_id) }
}

export async function requireAccessRequest(
  db: Executor,
  owner: ApplicationRef,
  id: string,
): Promise<AccessRequestRow> {
  const { rows } = await sql<AccessRequestRow>`
    select ${columns} from ${requests} where ${inApplication(owner)} and r.id = ${asUuid(id)}`.execute(db)
  if (rows[0] === undefined) throw notFound()
  return rows[0]
}

/** Locks the request until the end of the transaction, so that only one of two simultaneous decisions takes effect. */
export async function lockAccessRequest(tx: Tx, id: string): Promise<void> {
  await tx.selectFrom('access_requests').select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

type NewRequest = ApplicationRef & { userId: string; message: string | null }

/**
 * Creates the request if the application exists in the person's workspace and the person cannot open it. Returns
 * undefined if it does not, or if the person has an open request.
 */
export async function insertAccessRequest(
  tx: Tx,
  { applicationId, workspaceId, userId, message }: NewRequest,
): Promise<{ id: string; name: string; email: string } | undefined> {
  const { rows } = await sql<{ id: string; name: string; email: string }>`
    with inserted as (
      insert into access_requests as known (workspace_id, application_id, user_id, message)
      select m.workspace_id, a.id, m.user_id, ${message}
      from workspace_members m join applications a on a.workspace_id = m.workspace_id
      where m.workspace_id = ${workspaceId} and m.user_id = ${userId} and a.id = ${applicationId}
        and a.deleted_at is null and not ${selectMemberReaches(sql`a.id`)}
      on conflict (application_id, user_id) do update
        set id = excluded.id, message = excluded.message, created_at = now(), closed_at = null
        where known.closed_at is not null or known.created_at <= now() - ${period}
      returning id, workspace_id, user_id)
    select inserted.id, m.name, u.email from inserted
      join workspace_members m on m.workspace_id = inserted.workspace_id and m.user_id = inserted.user_id
      join users u on u.id = inserted.user_id`.execute(tx)
  return rows[0]
}

export async function closeAccessRequest(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('access_requests')
    .set({ closed_at: sql<string>`now()` })
    .where('id', '=', id)
    .execute()
}

/** Reopens a closed request. */
export async function reopenAccessRequest(tx: Tx, id: string): Promise<void> {
  await tx.updateTable('access_requests').set({ closed_at: null }).where('id', '=', id).execute()
}

/** Deletes up to `limit` requests that were closed `days` days ago, or expired. Returns the number deleted. */
export async function deleteSomeOldAccessRequests(
  db: Executor,
  days: number,
  limit: number,
): Promise<number> {
  const result = await sql`
    delete from access_requests where id in (
      select id from access_requests
      where closed_at < now() - make_interval(days => ${days}::int) or created_at < now() - ${period}
      limit ${limit})`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}
