import { Type, type Static } from 'typebox'
import type { Db } from '../../database/transaction.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import { createdBetween, readCreatedBetween } from '../../http/endpoint/created-between.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { pageFrom, pageOf, pageQuery, pagination, sortQuery } from '../../http/endpoint/pagination.ts'
import { invalid } from '../../http/endpoint/validation.ts'
import { findApplicationOfWorkspace, listAuditEntriesPage, type AuditFilter } from './audit-entry.db.ts'
import { AuditEntry, auditEntryResource } from './audit-entry.ts'

const perPage = 15
const textFilter = (description: string) => Type.Optional(Type.String({ maxLength: 255, description }))

const Query = Type.Object({
  ...sortQuery(['created_at'], 'created_at'),
  ...pageQuery(perPage),
  actor: textFilter('ID or name of an API key or user.'),
  action: textFilter('Name of the action, for example `stream.updated`.'),
  subject_type: textFilter('Type of the changed resource, for example `stream`.'),
  subject_id: textFilter('ID of the changed resource.'),
  application: textFilter('ID of an application, which may be in the trash.'),
  ...createdBetween,
})

export const listAuditLog = endpoint({
  method: 'GET',
  path: '/workspace/audit-log',
  scope: { workspace: 'workspace:read' },
  summary: 'List audit log entries',
  description:
    'Each entry records who changed what, when and from which IP address. Email addresses are hidden from keys ' +
    'without `members:read`. URLs and the claims of trusted publishers are hidden from keys that cannot read the ' +
    'subject, such as a webhook without `webhooks:read`. A member of the workspace sees the entries of the workspace ' +
    'and of the applications that the member can access.',
  query: Query,
  returns: pageOf(AuditEntry),
  async handle({ db, actor, query }) {
    const filter = await readFilter(db, actor, query)
    const page = pageFrom(query, perPage)
    const { rows, total } = await listAuditEntriesPage(db, actor, filter, query.sort ?? 'asc', page)
    return {
      message: 'Audit log entries retrieved.',
      data: rows.map((row) => auditEntryResource(row, actor)),
      pagination: pagination(page, total, rows.length),
    }
  },
})

async function readFilter(db: Db, caller: Actor, query: Static<typeof Query>): Promise<AuditFilter> {
  const errors: Record<string, string[]> = {}
  const {
    actor,
    action,
    subject_type: subjectType,
    subject_id: subjectId,
    application: applicationId,
  } = query
  if (applicationId !== undefined && !(await findApplicationOfWorkspace(db, caller, applicationId)))
    errors['application'] = [`"${applicationId}" is not an application of this workspace.`]
  const createdRange = readCreatedBetween(query, errors)
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return { actor, action, subjectType, subjectId, applicationId, ...createdRange }
}
