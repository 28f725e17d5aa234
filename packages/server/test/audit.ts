import type { Service } from './harness.ts'

/** Returns the most recent audit entry about a subject; throws if there is none. */
export async function auditEntry(service: Service, subjectId: string, action?: string) {
  return service.deps.db
    .selectFrom('audit_entries')
    .selectAll()
    .where('subject_id', '=', subjectId)
    .$if(action !== undefined, (query) => query.where('action', '=', action ?? ''))
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
}
