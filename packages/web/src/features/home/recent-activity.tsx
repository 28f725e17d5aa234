import type { AuditEntry } from '@quayside/sdk'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../api/session.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { recentEntriesQuery } from '../audit-log/audit-log.queries.ts'
import { describeEntry } from '../audit-log/describe-entry.ts'
import panel from './home-page.module.css'
import classes from './recent-activity.module.css'

const day = new Intl.DateTimeFormat('en', { weekday: 'long', month: 'short', day: 'numeric' })

/** Who did what lately, grouped by day. */
export function RecentActivity() {
  const { can } = useSession()
  const { data: entries = [] } = useQuery({ ...recentEntriesQuery, enabled: can('workspace:read') })
  if (entries.length === 0) return null
  const days = Map.groupBy(entries, (entry) => day.format(new Date(entry.created_at)))
  return (
    <section className={panel.panel}>
      <h2 className={panel.panelTitle}>Recent activity</h2>
      {[...days].map(([name, entriesOfDay]) => (
        <div key={name}>
          <h3 className={classes.day}>{name}</h3>
          <ul className={classes.list}>
            {combined(entriesOfDay).map(({ entry, count }) => (
              <li key={entry.id}>
                <span className={classes.text}>
                  <b>{entry.actor.name}</b> {describeEntry(entry, count)}
                </span>
                <span className={classes.time}>
                  <RelativeTime time={entry.created_at} short />
                </span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}

/** Combines consecutive entries of the same actor and action, such as the uploads of a CI run. */
function combined(entries: readonly AuditEntry[]): { entry: AuditEntry; count: number }[] {
  const groups: { entry: AuditEntry; count: number }[] = []
  for (const entry of entries) {
    const last = groups.at(-1)
    const isSame =
      last?.entry.action === entry.action &&
      last.entry.actor.id === entry.actor.id &&
      last.entry.application_id === entry.application_id
    if (last !== undefined && isSame) last.count++
    else groups.push({ entry, count: 1 })
  }
  return groups
}
