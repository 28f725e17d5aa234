import type { AuditEntry } from '@quayside/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useSession } from '../../api/session.ts'
import { dateFormat } from '../../ui/format/date-format.ts'
import { RelativeTime } from '../../ui/format/relative-time.tsx'
import { recentEntriesQuery } from '../audit-log/audit-log.queries.ts'
import { describeEntry } from '../audit-log/describe-entry.ts'
import panel from './home-page.module.css'
import classes from './recent-activity.module.css'

const shownEntries = 12
const day = dateFormat({ weekday: 'long', month: 'short', day: 'numeric' })

/** Who did what lately, grouped by day. */
export function RecentActivity() {
  const { can } = useSession()
  const { data: entries = [] } = useQuery({ ...recentEntriesQuery, enabled: can('workspace:read') })
  if (entries.length === 0) return null
  const groups = combined(entries).slice(0, shownEntries)
  const days = Map.groupBy(groups, ({ entry }) => day(new Date(entry.created_at)))
  return (
    <section className={panel.panel}>
      <h2 className={panel.panelTitle}>Recent activity</h2>
      {[...days].map(([name, groupsOfDay]) => (
        <div key={name}>
          <h3 className={classes.day}>{name}</h3>
          <ul className={classes.list}>
            {groupsOfDay.map(({ entry, count }) => (
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
      <Link to="/settings" search={{ section: 'audit-log' }} className={classes.all}>
        Show all in the audit log
      </Link>
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
      last.entry.application_id === entry.application_id &&
      day(new Date(last.entry.created_at)) === day(new Date(entry.created_at))
    if (last !== undefined && isSame) last.count++
    else groups.push({ entry, count: 1 })
  }
  return groups
}
