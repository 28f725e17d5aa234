import { SegmentedControl, Skeleton } from '@mantine/core'
import type { ApplicationStatistics, RetentionSummary, Stream } from '@quayside/sdk'
import { useQueries, useQuery } from '@tanstack/react-query'
import { insightsText } from '../../text/insights.ts'
import { formatBytes, formatCount } from '../../ui/format/bytes.ts'
import type { Column } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { CardLine } from '../../ui/table/table-row.tsx'
import { StreamLink } from '../streams/stream-link.tsx'
import { retentionSummaryQuery, streamsQuery } from '../streams/stream.queries.ts'
import classes from './insight-chart.module.css'
import { CopyLinkButton, InsightFrame } from './insight-chart.tsx'
import { savingDays } from './insights.search.ts'
import { useInsightsSearch } from './use-insights-search.ts'

const texts = insightsText.savings
const defaultDays = 30
/** Reading the preview of a stream with a million builds takes half a second. */
const maxStreams = 6

type Props = { applicationId: string; storage: ApplicationStatistics['storage'] }

type Line = { applicationId: string; stream: Stream; summary: RetentionSummary | undefined }

/** Shows what the streams that store most would save if they kept their builds for fewer days. */
export function RetentionSavings({ applicationId, storage }: Props) {
  const { keep = defaultDays, change } = useInsightsSearch()
  const { data: streams } = useQuery(streamsQuery(applicationId))
  const bytesOf = new Map(storage.by_stream.map(({ stream, bytes }) => [stream?.id, bytes.at(-1) ?? 0]))
  const longer = (streams ?? []).filter(({ retention_days: days }) => days === null || days > keep)
  const affected = longer
    .toSorted((a, b) => (bytesOf.get(b.id) ?? 0) - (bytesOf.get(a.id) ?? 0))
    .slice(0, maxStreams)
  const previews = useQueries({
    queries: affected.map(({ id }) => retentionSummaryQuery(applicationId, id, keep)),
  })
  const lines = affected.map((stream, index): Line => ({
    applicationId,
    stream,
    summary: previews[index]?.data,
  }))
  return (
    <InsightFrame
      id="savings"
      title={texts.title}
      actions={<CopyLinkButton id="savings" title={texts.title} />}
    >
      <div className={classes.controls}>
        <span>{texts.keep}</span>
        <SegmentedControl
          size="xs"
          aria-label={texts.control}
          data={savingDays.map(String)}
          value={String(keep)}
          onChange={(value) => change({ keep: savingDays.find((days) => String(days) === value) })}
        />
        <span>{texts.unit}</span>
      </div>
      {streams !== undefined && affected.length === 0 ? (
        <p className={classes.footer}>{texts.nothing(keep)}</p>
      ) : (
        <DataTable
          label={texts.title}
          columns={columns}
          rows={streams === undefined ? undefined : lines}
          keyOf={({ stream }) => stream.id}
          card={(line) => (
            <>
              <CardLine>
                <StreamLink {...line} />
                <Value summary={line.summary}>{({ due }) => formatBytes(due.size_total_bytes)}</Value>
              </CardLine>
              <CardLine>
                <span className="soft">{retentionOf(line.stream)}</span>
                <Value summary={line.summary}>{({ due }) => texts.toTrash(due.builds)}</Value>
              </CardLine>
            </>
          )}
        />
      )}
      <Total lines={lines} keep={keep} storedBytes={storage.stored_bytes} />
      {longer.length > maxStreams && <p className={classes.footer}>{texts.largest(maxStreams)}</p>}
    </InsightFrame>
  )
}

type TotalProps = { lines: readonly Line[]; keep: number; storedBytes: number }

function Total({ lines, keep, storedBytes }: TotalProps) {
  const summaries = lines.flatMap(({ summary }) => summary ?? [])
  const [first] = summaries
  if (first === undefined || summaries.length < lines.length) return null
  const saved = summaries.reduce((sum, { due }) => sum + due.size_total_bytes, 0)
  const share = Math.round((saved / Math.max(1, storedBytes)) * 100)
  return (
    <p className={classes.footer} role="status">
      {saved === 0 ? texts.none(keep) : texts.total(formatBytes(saved), share, first.trash_days)}
    </p>
  )
}

const retentionOf = ({ retention_days: days }: Stream): string =>
  days === null ? texts.forever : texts.days(days)

const columns: readonly Column<Line>[] = [
  {
    id: 'stream',
    label: texts.stream,
    width: 'minmax(0, 1.4fr)',
    cell: StreamLink,
  },
  {
    id: 'now',
    label: texts.now,
    width: 'minmax(0, 0.8fr)',
    isAtEnd: true,
    cell: ({ stream }) => <span className="soft">{retentionOf(stream)}</span>,
  },
  {
    id: 'builds',
    label: texts.builds,
    width: 'minmax(0, 1fr)',
    isAtEnd: true,
    cell: ({ summary }) => <Value summary={summary}>{({ due }) => formatCount(due.builds)}</Value>,
  },
  {
    id: 'saved',
    label: texts.saved,
    width: 'minmax(0, 0.8fr)',
    isAtEnd: true,
    cell: ({ summary }) => <Value summary={summary}>{({ due }) => formatBytes(due.size_total_bytes)}</Value>,
  },
]

type ValueProps = { summary: RetentionSummary | undefined; children: (summary: RetentionSummary) => string }

const Value = ({ summary, children }: ValueProps) =>
  summary === undefined ? (
    <Skeleton height={12} width="60%" ml="auto" />
  ) : (
    <span className="tabular">{children(summary)}</span>
  )
