import { Button, Text } from '@mantine/core'
import type { Download, FullBuild } from '@quayside/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { serviceUrl } from '../../../api/browser.ts'
import { useSession } from '../../../api/session.ts'
import { buildText } from '../../../text/builds/build.ts'
import { channelNames } from '../../../text/distribution/downloads.ts'
import { CommandLine } from '../../../ui/command-line.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { formatCount } from '../../../ui/format/bytes.ts'
import { RelativeTime } from '../../../ui/format/relative-time.tsx'
import { Hint } from '../../../ui/hint.tsx'
import { IconDownload } from '../../../ui/icons/icons.ts'
import { FailureBanner } from '../../../ui/loading/failure-banner.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { CardLine } from '../../../ui/table/table-row.tsx'
import { memberNamesQuery } from '../../members/member.queries.ts'
import { buildDownloadsQuery } from '../details/build-details.queries.ts'
import { TabSkeleton } from '../details/tab-skeleton.tsx'
import { DayChart } from './day-chart.tsx'
import { describeUserAgent } from './user-agent.ts'

const shownAtFirst = 50

/** Who downloaded a build, when, and through which channel. */
export function Downloads({ build }: { build: FullBuild }) {
  const { data, error, refetch } = useQuery(buildDownloadsQuery(build.application_id, build.id))
  const [areAllShown, setAreAllShown] = useState(false)
  if (error !== null) return <FailureBanner error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <TabSkeleton />
  const { downloads, total } = data
  if (total === 0)
    return (
      <EmptyState
        icon={<IconDownload size={22} />}
        title={buildText.downloads.emptyTitle}
        action={
          <CommandLine
            code={`quayside builds download ${build.id} \\\n  --application ${build.application_id} --server ${serviceUrl}`}
            label="download command"
          />
        }
      >
        {buildText.downloads.empty}
      </EmptyState>
    )
  return (
    <>
      <DayChart downloads={downloads} />
      <DownloadTable build={build} downloads={areAllShown ? downloads : downloads.slice(0, shownAtFirst)} />
      {!areAllShown && downloads.length > shownAtFirst && (
        <Button mt="md" size="xs" variant="default" onClick={() => setAreAllShown(true)}>
          Show {formatCount(downloads.length - shownAtFirst)} more
        </Button>
      )}
      {total > downloads.length && (
        <Text mt="sm" fz="xs" c="dimmed">
          {buildText.downloads.latest(formatCount(downloads.length))}
        </Text>
      )}
    </>
  )
}

function DownloadTable({ build, downloads }: { build: FullBuild; downloads: readonly Download[] }) {
  const { can } = useSession()
  const { data: names } = useQuery({
    ...memberNamesQuery(build.application_id),
    enabled: can('members:read', build.application_id),
  })
  return (
    <DataTable
      label="Downloads"
      columns={columnsOf(build, names)}
      rows={downloads}
      keyOf={({ id }) => id}
      card={(download) => <DownloadCard build={build} download={download} names={names} />}
    />
  )
}

type Names = ReadonlyMap<string, string> | undefined

const columnsOf = (build: FullBuild, names: Names): readonly Column<Download>[] => [
  { id: 'who', label: 'Who', width: 'minmax(0, 1.2fr)', cell: (download) => <b>{whoOf(download, names)}</b> },
  { id: 'when', label: 'When', width: '6.5rem', cell: ({ created_at: at }) => <RelativeTime time={at} /> },
  { id: 'channel', label: 'Channel', width: '7.5rem', cell: ({ channel }) => channelNames[channel] },
  { id: 'file', label: 'File', width: 'minmax(0, 1.4fr)', cell: (download) => fileNameOf(download, build) },
  { id: 'address', label: 'Address', width: '7rem', cell: ({ address }) => address ?? '–' },
  { id: 'with', label: 'With', width: 'minmax(0, 1fr)', cell: (download) => <Program download={download} /> },
]

type CardProps = { build: FullBuild; download: Download; names: Names }

const DownloadCard = ({ build, download, names }: CardProps) => (
  <>
    <CardLine>
      <b>{whoOf(download, names)}</b>
      <span className="soft">
        <RelativeTime time={download.created_at} />
      </span>
    </CardLine>
    <CardLine>
      <span>{channelNames[download.channel]}</span>
      <span>{fileNameOf(download, build)}</span>
    </CardLine>
    <CardLine>
      <span>{download.address ?? '–'}</span>
      <Program download={download} />
    </CardLine>
  </>
)

const Program = ({ download: { user_agent: userAgent } }: { download: Download }) => (
  <Hint label={userAgent ?? 'Unknown'} multiline maw={420}>
    <span className="soft">{describeUserAgent(userAgent)}</span>
  </Hint>
)

function whoOf(download: Download, names: Names): string {
  if (download.email !== null) return download.email
  if (download.user_id !== null) return names?.get(download.user_id) ?? 'A member'
  return download.api_key?.name ?? 'A visitor'
}

function fileNameOf(
  { file_id: fileId, metadata_artifact_id: artifactId }: Download,
  build: FullBuild,
): string {
  if (artifactId !== null)
    return build.metadata_artifacts.find(({ id }) => id === artifactId)?.filename ?? 'A deleted artifact'
  if (fileId === null) return build.expansion_files.length === 0 ? build.primary_file.filename : 'All files'
  return (
    [build.primary_file, ...build.expansion_files].find(({ id }) => id === fileId)?.filename ??
    'Universal APK'
  )
}
