import { Box, Button, Skeleton } from '@mantine/core'
import type { SingleApplication, Stream } from '@quayside/sdk'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Suspense, useState, type ReactNode } from 'react'
import { serviceUrl } from '../../../api/browser.ts'
import { useSession } from '../../../api/session.ts'
import { streamText } from '../../../text/builds/stream.ts'
import { isShortHistory } from '../../../ui/charts/chart-history.ts'
import { CommandLine } from '../../../ui/command-line.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { formatBytes, plural } from '../../../ui/format/bytes.ts'
import { IconPlus, IconStack2 } from '../../../ui/icons/icons.ts'
import { lazyPart } from '../../../ui/loading/lazy-part.ts'
import { PageHeader } from '../../../ui/navigation/page-header.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Section } from '../../../ui/section.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { applicationStatisticsQuery } from '../../statistics/statistics.queries.ts'
import { StreamFormDialog } from '../stream-form-dialog.tsx'
import { retentionSummaryQuery } from '../stream.queries.ts'
import { streamColumns, type StreamLine } from './stream-table.tsx'

const StackedArea = lazyPart(async () => (await import('../../../ui/charts/stacked-area.tsx')).StackedArea)

type Props = {
  application: Pick<SingleApplication, 'id' | 'name'>
  /** Undefined while they are loading. */
  streams: readonly Stream[] | undefined
  /** The name in the URL if there is no such stream. */
  unknown: string | undefined
}

/** Every stream of an application with its size and retention. */
export function StreamList({ application, streams, unknown }: Props) {
  const { id: applicationId } = application
  const [isCreating, setIsCreating] = useState(false)
  const { can } = useSession()
  const canWrite = can('application:write', applicationId)
  const { totals, maxBytes, builds } = useTotals(applicationId, streams ?? [])
  const newButton = canWrite && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setIsCreating(true)}>
      New stream
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Streams"
        facts={
          streams === undefined || totals.includes(undefined)
            ? '\u00A0'
            : `${plural(streams.length, 'stream')} · ${plural(builds, 'build')}`
        }
        actions={streams?.length === 0 ? undefined : newButton}
      />
      {unknown !== undefined && (
        <Notice kind="warn" mb="md" title={streamText.unknown.title(unknown)}>
          {streamText.unknown.detail}
        </Notice>
      )}
      {streams?.length === 0 ? (
        <NoStreams applicationId={applicationId} newButton={newButton} />
      ) : (
        <DataTable
          label="Streams"
          columns={streamColumns}
          rows={streams?.map((stream, index) => ({ applicationId, stream, totals: totals[index], maxBytes }))}
          keyOf={({ stream: { id } }) => id}
        />
      )}
      {streams !== undefined && streams.length > 0 && builds > 0 && (
        <StorageOverTime applicationId={applicationId} />
      )}
      {isCreating && <StreamFormDialog applicationId={applicationId} onClose={() => setIsCreating(false)} />}
    </>
  )
}

/** Returns the totals of each stream, the size of the largest one, and how many builds all of them have. */
function useTotals(applicationId: string, streams: readonly Stream[]) {
  const summaries = useQueries({
    queries: streams.map(({ id }) => retentionSummaryQuery(applicationId, id)),
  })
  const totals = summaries.map(({ data }): StreamLine['totals'] =>
    data === undefined
      ? undefined
      : {
          builds: data.goes.builds + data.stays.builds,
          bytes: data.goes.size_total_bytes + data.stays.size_total_bytes,
          going: data.goes.builds,
        },
  )
  const maxBytes = Math.max(1, ...totals.map((each) => each?.bytes ?? 0))
  const builds = totals.reduce((sum, each) => sum + (each?.builds ?? 0), 0)
  return { totals, maxBytes, builds }
}

type NoStreamsProps = {
  applicationId: string
  /** False if the person may not create streams. */
  newButton: ReactNode
}

function NoStreams({ applicationId, newButton }: NoStreamsProps) {
  const command = `quayside streams create beta --retention 30 \\\n  --application ${applicationId} --server ${serviceUrl}`
  return (
    <EmptyState
      icon={<IconStack2 size={22} />}
      title="No streams yet"
      action={
        newButton !== false && (
          <>
            {newButton}
            <CommandLine code={command} />
          </>
        )
      }
    >
      {streamText.empty}
    </EmptyState>
  )
}

const days = 90

function StorageOverTime({ applicationId }: { applicationId: string }) {
  const { data } = useQuery(applicationStatisticsQuery(applicationId, days))
  if (data === undefined) return null
  const series = data.storage.by_stream.map(({ stream, bytes }) => ({
    name: stream?.name ?? 'Deleted streams',
    values: bytes,
  }))
  if (isShortHistory(series)) return null
  return (
    <Box mt="xl">
      <Section title={`Build files stored in the last ${days} days`}>
        <Suspense fallback={<Skeleton height={200} />}>
          <StackedArea
            label="Storage by stream"
            days={data.days}
            series={series}
            format={formatBytes}
            height={200}
            withValues={false}
          />
        </Suspense>
      </Section>
    </Box>
  )
}
