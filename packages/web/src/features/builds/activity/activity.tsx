import type { AuditEntry, FullBuild } from '@quayside/sdk'
import { useQuery } from '@tanstack/react-query'
import { buildText } from '../../../text/builds/build.ts'
import { ApplicationIcon } from '../../../ui/application-icon.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { RelativeTime } from '../../../ui/format/relative-time.tsx'
import { IconKey, IconSettings } from '../../../ui/icons/icons.ts'
import { FailureBanner } from '../../../ui/loading/failure-banner.tsx'
import { buildActivityQuery } from '../details/build-details.queries.ts'
import { TabSkeleton } from '../details/tab-skeleton.tsx'
import classes from './activity.module.css'
import { changedFields } from './changed-fields.ts'

const verbs: Readonly<Record<string, string>> = {
  'build.created': 'uploaded the build',
  'build.updated': 'changed the build',
  'build.deleted': 'moved the build to the trash',
  'build.restored': 'restored the build',
  'build.processed': 'read the package',
}

/** What someone did who changed only this field. */
const fieldVerbs: Readonly<Record<string, string>> = {
  stream: 'moved the build',
  notes: 'edited the notes',
  labels: 'changed the labels',
  'keep forever': 'changed the retention',
}

/** Who changed a build, when, and what. */
export function Activity({ build }: { build: FullBuild }) {
  const { data: entries, error, refetch } = useQuery(buildActivityQuery(build.application_id, build.id))
  if (error !== null) return <FailureBanner error={error} onRetry={() => void refetch()} />
  if (entries === undefined) return <TabSkeleton />
  if (entries.length === 0) return <EmptyState title={buildText.activity.empty} />
  return (
    <ol className={classes.list}>
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} />
      ))}
    </ol>
  )
}

function Entry({ entry }: { entry: AuditEntry }) {
  const changes = entry.action === 'build.created' ? [] : changedFields(entry.before, entry.after)
  const [first, second] = changes
  const single = entry.action === 'build.updated' && second === undefined ? first?.field : undefined
  return (
    <li className={classes.entry}>
      <ActorIcon actor={entry.actor} />
      <span>
        <strong>{entry.actor.name}</strong> {fieldVerbs[single ?? ''] ?? verbs[entry.action] ?? entry.action}
      </span>
      <span className={classes.time}>
        {entry.address !== null && <span className={classes.address}>{entry.address}</span>}
        <RelativeTime time={entry.created_at} />
      </span>
      {changes.map(({ field, before, after }) => (
        <span key={field} className={classes.changes}>
          {field}: {before !== undefined && <s>{before}</s>} {before !== undefined && '→'} {after}
        </span>
      ))}
    </li>
  )
}

function ActorIcon({ actor }: { actor: AuditEntry['actor'] }) {
  if (actor.kind === 'user') return <ApplicationIcon name={actor.name} url={null} round size={22} />
  return actor.kind === 'system' ? (
    <IconSettings size={18} color="var(--q-soft)" aria-hidden />
  ) : (
    <IconKey size={18} color="var(--q-soft)" aria-hidden />
  )
}
