import type { FormatHealth } from '@quayside/sdk'
import { adoptionText } from '../../text/distribution/adoption.ts'
import { plural } from '../../ui/format/bytes.ts'
import { RelativeTime } from '../../ui/format/relative-time.tsx'
import classes from './channel-page.module.css'

/** When a format was last requested, and what went wrong last. */
export function Health({ health }: { health: FormatHealth }) {
  const { last_request_at: lastRequestAt, last_error: lastError } = health
  if (lastRequestAt === null) return <div className={classes.health}>{adoptionText.neverRequested}</div>
  return (
    <div className={classes.health}>
      <span>
        {adoptionText.lastRequest} <RelativeTime time={lastRequestAt} />
      </span>
      <span>
        {plural(health.requests_last_24_hours, 'request')}
        {health.errors_last_24_hours > 0 && `, ${plural(health.errors_last_24_hours, 'error')}`} in 24 hours
      </span>
      {lastError !== null && (
        <span>
          {adoptionText.lastError} {lastError.status} at <code>{lastError.path}</code>,{' '}
          <RelativeTime time={lastError.at} />
        </span>
      )}
    </div>
  )
}
