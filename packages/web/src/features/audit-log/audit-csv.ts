import type { AuditEntry } from '@quayside/sdk'
import { csvFile } from '../../ui/format/csv.ts'

const columns = [
  'created_at',
  'actor',
  'actor_kind',
  'actor_id',
  'action',
  'subject_type',
  'subject_id',
  'application_id',
  'address',
  'before',
  'after',
] as const

/** Returns audit entries as a CSV file with a header. */
export function auditCsv(entries: readonly AuditEntry[]): string {
  const rows = entries.map((entry) => {
    const { actor, subject } = entry
    return [
      entry.created_at,
      actor.name,
      actor.kind,
      actor.id ?? '',
      entry.action,
      subject.type,
      subject.id,
      entry.application_id ?? '',
      entry.address ?? '',
      stateText(entry.before),
      stateText(entry.after),
    ]
  })
  return csvFile([columns, ...rows])
}

const stateText = (state: unknown): string => (state === null ? '' : JSON.stringify(state))
