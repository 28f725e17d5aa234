import { Skeleton } from '@mantine/core'
import type { Stream } from '@quayside/sdk'
import { streamText } from '../../../text/builds/stream.ts'
import { formatBytes, plural } from '../../../ui/format/bytes.ts'
import type { Column } from '../../../ui/table/column.ts'
import { StreamLink } from '../stream-link.tsx'
import classes from './stream-list.module.css'

export type StreamLine = {
  applicationId: string
  stream: Stream
  /** The number and size of the builds, and how many of them retention will take; undefined while they are loading. */
  totals: { builds: number; bytes: number; going: number } | undefined
  /** The size of the largest stream, which the bars are compared with. */
  maxBytes: number
}

export const streamColumns: readonly Column<StreamLine>[] = [
  {
    id: 'stream',
    label: 'Stream',
    width: 'minmax(0, 1.4fr)',
    hasLines: true,
    cell: ({ applicationId, stream }) => (
      <>
        <StreamLink applicationId={applicationId} stream={stream} />
        {stream.description !== null && <div className="soft">{stream.description}</div>}
      </>
    ),
  },
  {
    id: 'builds',
    label: 'Builds',
    width: 'minmax(0, 1fr)',
    hasLines: true,
    cell: ({ totals, maxBytes }) =>
      totals === undefined ? (
        <Skeleton height={12} width="60%" />
      ) : (
        <div className={classes.size}>
          <span className="tabular">
            {plural(totals.builds, 'build')} <span className="soft">· {formatBytes(totals.bytes)}</span>
          </span>
          <span className={classes.track} aria-hidden>
            <span className={classes.bar} style={{ width: `${(totals.bytes / maxBytes) * 100}%` }} />
          </span>
        </div>
      ),
  },
  {
    id: 'retention',
    label: 'Retention',
    width: 'minmax(0, 0.7fr)',
    hasLines: true,
    cell: ({ stream: { retention_days: days }, totals }) => (
      <>
        <div>{days === null ? 'Kept forever' : `Kept for ${streamText.retention(days)}`}</div>
        {days !== null && totals !== undefined && totals.going > 0 && (
          <div className="soft">{plural(totals.going, 'build')} will expire</div>
        )}
      </>
    ),
  },
]
