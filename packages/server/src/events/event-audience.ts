import type { ChangeOwners, LoggedChange } from './change-log.db.ts'
import type { EventType } from './event-text.ts'

/** The changes that a client may receive. */
export type Audience = { owners: ChangeOwners; types: ReadonlySet<EventType> }

/**
 * Returns whether a client may receive the change. Clients cannot access the contents of an application in the trash,
 * but the deletion of the application is reported.
 */
export function isFor({ owners, types }: Audience, change: LoggedChange): boolean {
  const { workspace_id, application_id, is_hidden, type } = change
  if (workspace_id !== owners.workspaceId || !types.has(type as EventType)) return false
  if (is_hidden && type !== 'application') return false
  const { applicationIds } = owners
  return applicationIds === null || application_id === null || applicationIds.has(application_id)
}
