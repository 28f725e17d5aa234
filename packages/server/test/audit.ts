import type { Service } from './harness.ts'

/** The newest audit entry about a thing; throws when there is none. */
export async function auditEntry(service: Service, subjectId: string) {
  return service.deps.db
    .selectFrom('audit_entries')
    .selectAll()
    .where('subject_id', '=', subjectId)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
}
