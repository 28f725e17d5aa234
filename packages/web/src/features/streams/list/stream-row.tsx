import { Badge, Skeleton } from '@mantine/core'
import type { Stream } from '@quayside/sdk'
import { Link } from '@tanstack/react-router'
import { streamText } from '../../../text/stream.ts'
import { formatBytes, plural } from '../../../ui/bytes.ts'
import { Hint } from '../../../ui/hint.tsx'
import classes from './stream-list.module.css'

/** The number and size of the builds of a stream, and how many of them retention will take. */
export type StreamTotals = { builds: number; bytes: number; going: number }

type Props = {
  applicationId: string
  stream: Stream
  /** Undefined while they are loading. */
  totals: StreamTotals | undefined
  /** The size of the largest stream, which the bars are compared with. */
  maxBytes: number
  /** Whether new applications get a stream with this name. */
  isDefault: boolean
}

/** A stream in the list. The whole row is a link. */
export function StreamRow({ applicationId, stream, totals, maxBytes, isDefault }: Props) {
  const { name, description, retention_days: days } = stream
  return (
    <li className={classes.row}>
      <div className={classes.name}>
        <div className={classes.nameLine}>
          <Link
            to="/applications/$applicationId/streams"
            params={{ applicationId }}
            search={{ stream: name }}
            className={classes.link}
            data-row-link
          >
            {name}
          </Link>
          {isDefault && (
            <Hint label={streamText.template}>
              <Badge variant="default" size="sm" className={classes.badge}>
                Default
              </Badge>
            </Hint>
          )}
        </div>
        {description !== null && <div className={classes.soft}>{description}</div>}
      </div>
      {totals === undefined ? (
        <Skeleton height={12} width="60%" />
      ) : (
        <div className={classes.size}>
          <span className="tabular">
            {plural(totals.builds, 'build')}{' '}
            <span className={classes.soft}>· {formatBytes(totals.bytes)}</span>
          </span>
          <span className={classes.track} aria-hidden>
            <span className={classes.bar} style={{ width: `${(totals.bytes / maxBytes) * 100}%` }} />
          </span>
        </div>
      )}
      <div>
        <div>{days === null ? 'Kept forever' : `Kept for ${streamText.retention(days)}`}</div>
        {days !== null && totals !== undefined && totals.going > 0 && (
          <div className={classes.soft}>{plural(totals.going, 'build')} will expire</div>
        )}
      </div>
    </li>
  )
}
