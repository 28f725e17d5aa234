import type { ChangeOwners, LoggedChange } from './change-log.db.ts'
import type { EventType } from './event-text.ts'

/** The changes that a client may receive. */
export type Audience = {
  owners: ChangeOwners
  types: ReadonlySet<EventType>
  /** The applications of the owners whose uploads are reported; null for all of them. */
  uploadApplicationIds: ReadonlySet<string> | null
  /** The person whose notifications are reported; null for API keys. */
  userId: string | null
}

/** Returns the same text for clients that may receive the same changes. */
export const audienceName = ({ owners, types, uploadApplicationIds, userId }: Audience): string =>
  [
    owners.workspaceId,
    ...(owners.applicationIds ?? ['*']),
    ...types,
    ...(uploadApplicationIds ?? ['*']),
    userId ?? '',
  ].join(' ')

/**
 * Returns whether a client may receive the change. Clients cannot access the contents of an application in the trash,
 * but the deletion of the application is reported.
 */
export function isFor(
  { owners, types, uploadApplicationIds, userId }: Audience,
  change: LoggedChange,
): boolean {
  const { workspace_id, application_id, is_hidden, type } = change
  if (workspace_id !== owners.workspaceId || !types.has(type as EventType)) return false
  if (type === 'notification') return change.id === userId
  if (is_hidden && type !== 'application') return false
  const isIn = (ids: ReadonlySet<string> | null) =>
    ids === null || application_id === null || ids.has(application_id)
  return isIn(owners.applicationIds) && (type !== 'upload' || isIn(uploadApplicationIds))
}
