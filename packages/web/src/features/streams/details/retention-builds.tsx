import { SegmentedControl, Skeleton, Text } from '@mantine/core'
import type { RetentionOutcome, RetentionSummary } from '@quayside/sdk'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { streamText } from '../../../text/builds/stream.ts'
import { formatCount } from '../../../ui/format/bytes.ts'
import { useNow } from '../../../ui/format/now.ts'
import { calendarDay } from '../../../ui/format/time.ts'
import { FailureBanner } from '../../../ui/loading/failure-banner.tsx'
import { LoadMore } from '../../../ui/loading/load-more.tsx'
import { Section } from '../../../ui/section.tsx'
import { retentionPagesQuery, type Outcome } from '../stream.queries.ts'
import { RetentionRow } from './retention-row.tsx'
import classes from './stream-details.module.css'
import { timelineOf } from './timeline.ts'

type Props = {
  applicationId: string
  streamId: string
  /** The previewed number of days; null keeps every build. */
  days: number | null
  summary: RetentionSummary | undefined
  isDeleting: boolean
}

type Filter = Outcome | 'all'

/** Every build of a stream on a time axis: from when it was uploaded until it goes, or why it stays. */
export function RetentionBuilds({ applicationId, streamId, days, summary, isDeleting }: Props) {
  const [filter, setFilter] = useState<Filter>('all')
  const now = useNow()
  const query = useInfiniteQuery({
    ...retentionPagesQuery(applicationId, streamId, filter === 'all' ? undefined : filter),
    placeholderData: keepPreviousData,
    enabled: !isDeleting,
  })
  const { data, error, refetch } = query
  const rows = data?.pages.flatMap((page): RetentionOutcome[] => page.data)
  return (
    <Section
      title="Builds, oldest first"
      actions={days !== null && <OutcomeFilter summary={summary} value={filter} onChange={setFilter} />}
    >
      {error !== null && <FailureBanner error={error} onRetry={() => void refetch()} />}
      {rows === undefined && error === null && <Skeleton height={240} radius="lg" />}
      {rows?.length === 0 && (
        <Text fz="sm" c="dimmed">
          {streamText.noBuilds}
        </Text>
      )}
      {rows !== undefined && rows.length > 0 && (
        <Timeline applicationId={applicationId} rows={rows} days={days} now={now} />
      )}
      <LoadMore query={query}>Show more builds</LoadMore>
    </Section>
  )
}

type FilterProps = Pick<Props, 'summary'> & { value: Filter; onChange: (value: Filter) => void }

function OutcomeFilter({ summary, value: filter, onChange }: FilterProps) {
  const { goes, stays } = summary ?? {}
  return (
    <SegmentedControl
      size="xs"
      aria-label="Outcome"
      data={[
        { value: 'all', label: 'All' },
        { value: 'goes', label: `Go ${goes === undefined ? '' : formatCount(goes.builds)}` },
        { value: 'stays', label: `Stay ${stays === undefined ? '' : formatCount(stays.builds)}` },
      ]}
      value={filter}
      onChange={(value) => onChange(value === 'goes' || value === 'stays' ? value : 'all')}
    />
  )
}

type TimelineProps = Pick<Props, 'applicationId' | 'days'> & {
  rows: readonly RetentionOutcome[]
  now: number
}

function Timeline({ applicationId, rows, days, now }: TimelineProps) {
  const timeline = timelineOf(rows, now)
  return (
    <div
      className={classes.timeline}
      style={{ '--today': `${timeline.position(now)}%` } as React.CSSProperties}
    >
      <div className={classes.axis} aria-hidden>
        <span />
        <span className={classes.axisDays}>
          <span>{calendarDay(new Date(timeline.from).toISOString())}</span>
          <span className={classes.today}>Today</span>
          <span>{calendarDay(new Date(timeline.to).toISOString())}</span>
        </span>
        <span />
      </div>
      <ul className={classes.rows}>
        {rows.map((row) => (
          <RetentionRow
            key={row.build.id}
            applicationId={applicationId}
            row={row}
            days={days}
            now={now}
            timeline={timeline}
          />
        ))}
      </ul>
    </div>
  )
}
