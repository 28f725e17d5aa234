import type { Release } from '@quayside/sdk'
import { releaseStatusText } from '../../text/releases/release-status.ts'
import { RelativeTime } from '../../ui/format/relative-time.tsx'
import classes from './release-status.module.css'

/** Shows the status of a release, and for a scheduled one when it is published. */
export function ReleaseStatus({ release }: { release: Pick<Release, 'status' | 'scheduled_for'> }) {
  const { status, scheduled_for: scheduledFor } = release
  return (
    <span className={classes.status} data-status={status}>
      {releaseStatusText[status]}
      {scheduledFor !== null && (
        <span className={classes.time}>
          <RelativeTime time={scheduledFor} />
        </span>
      )}
    </span>
  )
}
