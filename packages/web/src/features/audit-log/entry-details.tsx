import type { AuditEntry } from '@quayside/sdk'
import { auditText } from '../../text/audit-log.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { absoluteTime } from '../../ui/format/time.ts'
import { changedFields } from '../builds/activity/changed-fields.ts'
import classes from './entry-feed.module.css'

/** The fields before and after a change, and where it came from. */
export function EntryDetails({ entry }: { entry: AuditEntry }) {
  const { before, after } = entry
  const isUpdate = before !== null && after !== null
  const rows = isUpdate ? changedFields(before, after) : changedFields(null, after ?? before)
  return (
    <>
      {rows.length === 0 ? (
        <p className={classes.soft}>{auditText.noState}</p>
      ) : (
        <table className={classes.diff}>
          <thead>
            <tr>
              <th scope="col">Field</th>
              {isUpdate && <th scope="col">Before</th>}
              <th scope="col">{isUpdate ? 'After' : after === null ? 'Deleted value' : 'Value'}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ field, before: old, after: value }) => (
              <tr key={field}>
                <th scope="row">{field}</th>
                {isUpdate && <td className={classes.old}>{old}</td>}
                <td className={isUpdate ? classes.new : undefined}>{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className={classes.origin}>
        <span>{absoluteTime(entry.created_at)}</span>
        {entry.address !== null && <span>from {entry.address}</span>}
        <code>{entry.action}</code>
        <Copyable value={entry.subject.id} label={`${entry.subject.type.replaceAll('_', ' ')} ID`} mono />
      </p>
    </>
  )
}
