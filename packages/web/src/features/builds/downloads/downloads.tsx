import { Button, Text } from '@mantine/core'
import type { Download, FullBuild } from '@quayside/sdk'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { serviceUrl } from '../../../api/browser.ts'
import { useSession } from '../../../api/session.ts'
import { buildText } from '../../../text/build.ts'
import { formatCount } from '../../../ui/bytes.ts'
import { CommandLine } from '../../../ui/command-line.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FailureBanner } from '../../../ui/failure-banner.tsx'
import { Hint } from '../../../ui/hint.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { buildDownloadsQuery, memberNamesQuery } from '../details/build-details.queries.ts'
import { TabSkeleton } from '../details/tab-skeleton.tsx'
import { DayChart } from './day-chart.tsx'
import classes from './downloads.module.css'
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

const channelNames: Readonly<Record<Download['channel'], string>> = {
  api: 'API',
  console: 'Console',
  'share-link': 'Share link',
  'distribution-group': 'Distribution group',
  portal: 'Portal',
  feed: 'Update feed',
}

function DownloadTable({ build, downloads }: { build: FullBuild; downloads: readonly Download[] }) {
  const { can } = useSession()
  const { data: names } = useQuery({
    ...memberNamesQuery(build.application_id),
    enabled: can('members:read', build.application_id),
  })
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th>Who</th>
          <th>When</th>
          <th>Channel</th>
          <th>File</th>
          <th>Address</th>
          <th>With</th>
        </tr>
      </thead>
      <tbody>
        {downloads.map((download) => (
          <tr key={download.id}>
            <td className={classes.who}>{whoOf(download, names)}</td>
            <td className={classes.soft}>
              <RelativeTime time={download.created_at} />
            </td>
            <td>{channelNames[download.channel]}</td>
            <td>{fileNameOf(download, build)}</td>
            <td className="tabular">{download.address ?? '–'}</td>
            <td className={classes.soft}>
              <Hint label={download.user_agent ?? 'Unknown'} multiline maw={420}>
                <span>{describeUserAgent(download.user_agent)}</span>
              </Hint>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function whoOf(download: Download, names: ReadonlyMap<string, string> | undefined): string {
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
