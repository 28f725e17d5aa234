import { sql } from 'kysely'
import { selectIsReachable } from '../../access/application.db.ts'
import { listWithTotal } from '../../database/page-with-total.ts'
import type { Executor } from '../../database/transaction.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import type { Page } from '../../http/endpoint/pagination.ts'

export type AuditFilter = {
  /** The ID or name of an API key or user. */
  actor: string | undefined
  action: string | undefined
  subjectType: string | undefined
  subjectId: string | undefined
  applicationId: string | undefined
  createdAfter: string | undefined
  createdBefore: string | undefined
}

function selectMatching(db: Executor, caller: Actor, filter: AuditFilter) {
  let query = db.selectFrom('audit_entries').where('workspace_id', '=', caller.workspaceId)
  if (caller.applicationIds !== null)
    query = query.where((eb) =>
      eb.or([eb('application_id', 'is', null), selectIsReachable(caller, 'audit_entries.application_id')]),
    )
  const { actor, action, subjectType, subjectId, applicationId, createdAfter, createdBefore } = filter
  if (actor !== undefined)
    query = query.where((eb) => eb.or([eb('actor_id', '=', actor), eb('actor_name', '=', actor)]))
  if (action !== undefined) query = query.where('action', '=', action)
  if (subjectType !== undefined) query = query.where('subject_type', '=', subjectType)
  if (subjectId !== undefined) query = query.where('subject_id', '=', subjectId)
  if (applicationId !== undefined) query = query.where('application_id', '=', applicationId)
  if (createdAfter !== undefined) query = query.where('created_at', '>=', createdAfter)
  if (createdBefore !== undefined) query = query.where('created_at', '<', createdBefore)
  return query
}

const selectEntries = (db: Executor) =>
  db
    .selectFrom('audit_entries')
    .select([
      'id',
      'action',
      'subject_type',
      'subject_id',
      'actor_kind',
      'actor_id',
      'actor_name',
      sql<string | null>`host(address)`.as('address'),
      'application_id',
      'before',
      'after',
      'created_at',
    ])

export type AuditEntryRow = Awaited<ReturnType<ReturnType<typeof selectEntries>['executeTakeFirstOrThrow']>>

export async function listAuditEntriesPage(
  db: Executor,
  caller: Actor,
  filter: AuditFilter,
  direction: 'asc' | 'desc',
  page: Page,
) {
  // Selects the IDs with an index-only scan, so that the rows of skipped entries are not read.
  const picked = selectMatching(db, caller, filter)
    .select('id')
    .orderBy('created_at', direction)
    .orderBy('id', direction)
    .limit(page.limit)
    .offset(page.offset)
  return listWithTotal(
    selectEntries(db)
      .where(sql<boolean>`id = any(array(${picked}))`)
      .orderBy('created_at', direction)
      .orderBy('id', direction),
    selectMatching(db, caller, filter),
  )
}

/** Finds an application that the caller can access. Includes trashed applications, because their history remains available. */
export async function findApplicationOfWorkspace(db: Executor, caller: Actor, id: string) {
  return db
    .selectFrom('applications')
    .select('id')
    .where('id', '=', id)
    .where('workspace_id', '=', caller.workspaceId)
    .where(selectIsReachable(caller, 'applications.id'))
    .executeTakeFirst()
}
