import type { RetentionOutcome } from '@quayside/sdk'
import { Link } from '@tanstack/react-router'
import { streamText } from '../../../text/builds/stream.ts'
import { formatBytes } from '../../../ui/format/bytes.ts'
import { absoluteTime, daysUntil } from '../../../ui/format/time.ts'
import { Hint } from '../../../ui/hint.tsx'
import { PlatformIcon } from '../../../ui/platform-icon.tsx'
import { versionText } from '../../builds/build.queries.ts'
import classes from './stream-details.module.css'
import { goesAt, type Timeline } from './timeline.ts'

type Props = {
  applicationId: string
  row: RetentionOutcome
  days: number | null
  now: number
  timeline: Timeline
}

/** A build with a bar from its upload until it goes. The bar of a build that stays has no end. */
export function RetentionRow({ applicationId, row, days, now, timeline }: Props) {
  const { build } = row
  const end = goesAt(row, days)
  const start = timeline.position(Date.parse(build.created_at))
  const width = (end === undefined ? 100 : timeline.position(end)) - start
  const state = end === undefined ? 'stays' : end <= now ? 'due' : 'later'
  return (
    <li className={classes.row}>
      <span className={classes.build}>
        <PlatformIcon platform={build.platform} size={16} />
        <Link
          to="/applications/$applicationId/builds/$buildId"
          params={{ applicationId, buildId: build.id }}
          className={classes.version}
        >
          {versionText(build)}
        </Link>
        <span className={`${classes.soft} tabular`}>{formatBytes(build.size_total_bytes)}</span>
      </span>
      <Hint
        label={`Uploaded ${absoluteTime(build.created_at)}${end === undefined ? '' : `, goes ${absoluteTime(new Date(end).toISOString())}`}`}
      >
        <span className={classes.lane} aria-hidden>
          <span
            className={classes.span}
            data-part={state}
            style={
              {
                left: `${start}%`,
                width: `max(6px, ${width}%)`,
                '--age': `${((timeline.position(now) - start) / Math.max(width, 0.01)) * 100}%`,
              } as React.CSSProperties
            }
          />
        </span>
      </Hint>
      <span className={classes.outcome} data-part={state}>
        {end === undefined ? <Reasons applicationId={applicationId} row={row} /> : outcomeText(end, now)}
      </span>
    </li>
  )
}

function outcomeText(end: number, now: number): string {
  if (end <= now) return streamText.outcomes.due
  const days = daysUntil(new Date(end).toISOString(), now)
  return days < 1 ? streamText.outcomes.today : streamText.outcomes.days(days)
}

function Reasons({ applicationId, row: { kept_by: reasons } }: Pick<Props, 'applicationId' | 'row'>) {
  const own = reasons.filter(({ reason }) => reason !== 'stream')
  if (own.length === 0) return streamText.reasons.stream
  return own.map(({ reason, releases = [], message }, index) => (
    <span key={reason}>
      {index > 0 && ' · '}
      {reason === 'release' ? (
        <>
          In release{' '}
          {releases.map(({ id, version }, position) => (
            <span key={id}>
              {position > 0 && ', '}
              <Link
                to="/applications/$applicationId/releases/$releaseId"
                params={{ applicationId, releaseId: id }}
              >
                {version}
              </Link>
            </span>
          ))}
        </>
      ) : reason === 'stream' ? (
        message
      ) : (
        streamText.reasons[reason]
      )}
    </span>
  ))
}
