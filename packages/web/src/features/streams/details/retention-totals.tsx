import { Skeleton } from '@mantine/core'
import type { RetentionSummary } from '@quayside/sdk'
import { streamText } from '../../../text/builds/stream.ts'
import { formatBytes, formatCount } from '../../../ui/format/bytes.ts'
import classes from './stream-details.module.css'

type Props = { summary: RetentionSummary | undefined; days: number | null }

/** How many builds go now, go later and stay, as one bar and in numbers. */
export function RetentionTotals({ summary, days }: Props) {
  if (summary === undefined) return <Skeleton height={84} radius="lg" mt="md" />
  const { due, goes, stays } = summary
  const all = { builds: goes.builds + stays.builds, bytes: goes.size_total_bytes + stays.size_total_bytes }
  const none = { builds: 0, bytes: 0 }
  const parts = [
    {
      name: 'due',
      ...(days === null ? none : { builds: due.builds, bytes: due.size_total_bytes }),
    },
    {
      name: 'later',
      ...(days === null
        ? none
        : {
            builds: goes.builds - due.builds,
            bytes: goes.size_total_bytes - due.size_total_bytes,
          }),
    },
    {
      name: 'stays',
      ...(days === null ? all : { builds: stays.builds, bytes: stays.size_total_bytes }),
    },
  ] as const
  return (
    <div className={classes.totals}>
      <div className={classes.share} aria-hidden>
        {parts.map(({ name, builds }) => (
          <span
            key={name}
            data-part={name}
            style={{ flexGrow: builds, display: builds === 0 ? 'none' : undefined }}
          />
        ))}
      </div>
      <dl className={classes.numbers}>
        {parts.map(({ name, builds, bytes }) => (
          <div key={name}>
            <dt>
              <span className={classes.dot} data-part={name} aria-hidden />
              {streamText.summary[name]}
            </dt>
            <dd>
              <strong className="tabular">{formatCount(builds)}</strong>{' '}
              <span className={classes.soft}>
                {builds === 0 ? '' : `${formatBytes(bytes)}, `}
                {streamText.summary[`${name}Help`]}
              </span>
            </dd>
          </div>
        ))}
      </dl>
      {goes.builds > 0 && goes.freed_bytes !== goes.size_total_bytes && (
        <p className={classes.freed}>{streamText.freed(goes.freed_bytes)}</p>
      )}
    </div>
  )
}
