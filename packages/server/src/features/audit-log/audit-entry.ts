import { Type, type Static } from 'typebox'
import type { Actor } from '../../http/endpoint/actor.ts'
import { Nullable, Timestamp } from '../../http/endpoint/fields.ts'
import type { AuditEntryRow } from './audit-entry.db.ts'
import { hideDetails } from './hidden-details.ts'

const State = Nullable(
  Type.Unknown({
    description:
      'The fields of the subject that the audit log records. `[hidden]` replaces values that your key cannot read through other endpoints.',
  }),
)

export const AuditEntry = Type.Object(
  {
    id: Type.String(),
    action: Type.String({ examples: ['stream.updated'] }),
    subject: Type.Object({ type: Type.String(), id: Type.String() }),
    actor: Type.Object({
      kind: Type.Enum(['api-key', 'bootstrap-key', 'user', 'system']),
      id: Nullable(Type.String({ description: 'ID of the API key or user.' })),
      name: Type.String(),
    }),
    address: Nullable(Type.String()),
    application_id: Nullable(Type.String()),
    before: State,
    after: State,
    created_at: Timestamp,
  },
  { title: 'AuditEntry' },
)

type Kind = Static<typeof AuditEntry>['actor']['kind']

export function auditEntryResource(row: AuditEntryRow, actor: Actor): Static<typeof AuditEntry> {
  const { id, action, application_id, created_at } = row
  const visible = (state: unknown) => hideDetails(state, row.subject_type, actor)
  return {
    id,
    action,
    subject: { type: row.subject_type, id: row.subject_id },
    actor: { kind: row.actor_kind as Kind, id: row.actor_id, name: row.actor_name },
    address: row.address,
    application_id,
    before: visible(row.before),
    after: visible(row.after),
    created_at,
  }
}
