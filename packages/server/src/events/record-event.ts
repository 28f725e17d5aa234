import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '../database/transaction.ts'
import type { Actor } from '../http/endpoint/actor.ts'
import { uuidV7 } from '../lib/ids.ts'
import type { AuditAction, AuditSubject, NamedEvent } from './catalogue.ts'
import { insertChanges, type NewEntry, type NewEvent } from './event.db.ts'

export type Change = {
  action: AuditAction
  applicationId: string | null
  subject: { type: AuditSubject; id: string }
  before?: unknown
  after?: unknown
  /** The events to send to webhooks. */
  events?: NamedEvent[]
}

/** The initiator of a change, for the audit log. */
export type Initiator = {
  /** The authenticated caller, or a user or job without a key. */
  actor: Pick<Actor, 'id' | 'name' | 'workspaceId'> & { via: Actor['via'] | 'user' | 'system' }
  /** The client's IP address; null if it is unknown or no request caused the change. */
  address: string | null
}

/** Writes the audit entry and events of a change. Must be called in the transaction that makes the change. */
export const recordEvent = (tx: Tx, initiator: Initiator, change: Change): Promise<void> =>
  recordEvents(tx, initiator, [change])

/**
 * Writes the audit entries and events of up to a few hundred changes in one statement. Skips a change that has no
 * events and whose snapshots before and after are equal, so that a request that changed nothing is not recorded.
 */
export async function recordEvents(tx: Tx, { actor, address }: Initiator, changes: Change[]): Promise<void> {
  const entries: NewEntry[] = []
  const events: NewEvent[] = []
  for (const change of changes.filter(hasEffect)) {
    const owner = { workspace_id: actor.workspaceId, application_id: change.applicationId }
    entries.push({
      id: uuidV7(),
      ...owner,
      action: change.action,
      subject_type: change.subject.type,
      subject_id: change.subject.id,
      actor_kind: actor.via === 'session' ? 'user' : actor.via,
      actor_id: actor.id,
      actor_name: actor.name,
      address,
      before: change.before ?? null,
      after: change.after ?? null,
    })
    for (const event of change.events ?? []) events.push({ id: uuidV7(), ...owner, ...event })
  }
  await insertChanges(tx, entries, events)
}

const hasEffect = ({ before, after, events = [] }: Change): boolean =>
  before === undefined || after === undefined || events.length > 0 || !isDeepStrictEqual(before, after)
