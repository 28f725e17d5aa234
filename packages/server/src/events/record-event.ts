import type { Tx } from '../database/transaction.ts'
import type { Actor } from '../http/actor.ts'
import { uuidV7 } from '../lib/ids.ts'
import { insertChanges } from './event.db.ts'

export type EventName =
  | 'build.created'
  | 'build.created.stream'
  | 'build.moved'
  | 'build.moved.stream'
  | 'build.label.added'
  | 'build.deleted'
  | 'release.created'
  | 'release.updated'
  | 'release.deleted'

/** Spelt as scopes are: whoever filters the audit log has one word for each kind of thing. */
type Noun =
  | 'api_key'
  | 'application'
  | 'build'
  | 'custom_target'
  | 'default_stream'
  | 'distribution_group'
  | 'invitation'
  | 'label'
  | 'member'
  | 'metadata_artifact'
  | 'portal'
  | 'release'
  | 'share_link'
  | 'stream'
  | 'trusted_publisher'
  | 'webhook'
  | 'webhook_request'
  | 'workspace'

export type Change = {
  /** `noun.verb`, as in the audit log. */
  action: `${Noun | 'application_member'}.${string}`
  applicationId: string | null
  subject: { type: Noun; id: string }
  before?: unknown
  after?: unknown
  /** What webhooks are told of it. */
  events?: { name: EventName; data: Record<string, unknown> }[]
}

/** Who made the change: the caller, or a person who has no key. */
export type Author = Pick<Actor, 'keyId' | 'name' | 'workspaceId'> & { via: Actor['via'] | 'user' | 'system' }

export type By = { actor: Author; /** null where no request led to it. */ address: string | null }

/** Writes the audit entry and the outbox rows of a change, in the transaction of the change. */
export const recordEvent = (tx: Tx, by: By, change: Change): Promise<void> => recordEvents(tx, by, [change])

/** The same of many changes at once: some hundred at most, for they are one statement. */
export async function recordEvents(tx: Tx, { actor, address }: By, changes: Change[]): Promise<void> {
  const told = changes.map((change) => {
    const place = { workspace_id: actor.workspaceId, application_id: change.applicationId }
    const entry = {
      id: uuidV7(),
      ...place,
      action: change.action,
      subject_type: change.subject.type,
      subject_id: change.subject.id,
      actor_kind: actor.via,
      actor_id: actor.keyId,
      actor_name: actor.name,
      address,
      before: change.before ?? null,
      after: change.after ?? null,
    }
    const events = (change.events ?? []).map(({ name, data }) => ({
      id: uuidV7(),
      ...place,
      name,
      data,
    }))
    return { entry, events }
  })
  await insertChanges(
    tx,
    told.map(({ entry }) => entry),
    told.flatMap(({ events }) => events),
  )
}
