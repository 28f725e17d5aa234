import type { ListedDownload } from '@quayside/sdk'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { channelNames, groupingNames } from '../../text/distribution/downloads.ts'
import { RelativeTime } from '../../ui/format/relative-time.tsx'
import { Hint } from '../../ui/hint.tsx'
import { FailureBanner } from '../../ui/loading/failure-banner.tsx'
import { LoadMore } from '../../ui/loading/load-more.tsx'
import { PlatformIcon } from '../../ui/platform-icon.tsx'
import type { Column } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { CardLine } from '../../ui/table/table-row.tsx'
import { describeUserAgent } from '../builds/downloads/user-agent.ts'
import { downloadsQuery } from './download.queries.ts'
import classes from './downloads.module.css'
import type { DownloadFilter } from './downloads.search.ts'

type Props = {
  applicationId: string
  filter: DownloadFilter
  /** Shown instead of the table if there are no downloads. */
  empty: ReactNode
}

/** Who downloaded which build, the latest first. */
export function DownloadTable({ applicationId, filter, empty }: Props) {
  const query = useInfiniteQuery({
    ...downloadsQuery(applicationId, filter),
    placeholderData: keepPreviousData,
  })
  if (query.error !== null && query.data === undefined)
    return <FailureBanner error={query.error} onRetry={() => void query.refetch()} />
  const downloads = query.data?.pages.flatMap(({ data }) => data)
  if (downloads?.length === 0 && !query.isPlaceholderData) return empty
  return (
    <>
      <DataTable
        label="Downloads"
        columns={columnsOf(applicationId)}
        rows={downloads}
        keyOf={({ id }) => id}
        isStale={query.isPlaceholderData}
        card={(download) => <DownloadCard applicationId={applicationId} download={download} />}
      />
      <LoadMore query={query}>Show more downloads</LoadMore>
    </>
  )
}

const columnsOf = (applicationId: string): readonly Column<ListedDownload>[] => [
  { id: 'who', label: 'Who', width: 'minmax(0, 1.3fr)', cell: (download) => <b>{whoOf(download)}</b> },
  {
    id: 'build',
    label: 'Build',
    width: 'minmax(0, 1.2fr)',
    isInteractive: true,
    cell: (download) => <BuildLink applicationId={applicationId} download={download} />,
  },
  { id: 'channel', label: 'Channel', width: 'minmax(0, 1fr)', cell: channelOf },
  { id: 'when', label: 'When', width: '7rem', cell: ({ created_at: at }) => <RelativeTime time={at} /> },
  {
    id: 'address',
    label: 'Address',
    width: '8rem',
    hiddenBelow: 'medium',
    cell: ({ address }) => <span className="soft">{address ?? '–'}</span>,
  },
  {
    id: 'with',
    label: 'With',
    width: 'minmax(0, 0.9fr)',
    hiddenBelow: 'wide',
    cell: (download) => <Program download={download} />,
  },
]

type RowProps = { applicationId: string; download: ListedDownload }

const DownloadCard = ({ applicationId, download }: RowProps) => (
  <>
    <CardLine>
      <b className={classes.who}>{whoOf(download)}</b>
      <span className="soft">
        <RelativeTime time={download.created_at} />
      </span>
    </CardLine>
    <CardLine>
      <BuildLink applicationId={applicationId} download={download} />
      <span className="soft">{channelOf(download)}</span>
    </CardLine>
  </>
)

function BuildLink({ applicationId, download }: RowProps) {
  const { build_id: buildId, version, build_number: number, platform } = download
  return (
    <span className={classes.build}>
      <PlatformIcon platform={platform} />
      <Link to="/applications/$applicationId/builds/$buildId" params={{ applicationId, buildId }}>
        {version}
        {number !== null && <span className="soft"> ({number})</span>}
      </Link>
    </span>
  )
}

const Program = ({ download: { user_agent: userAgent } }: { download: ListedDownload }) => (
  <Hint label={userAgent ?? 'Unknown'} multiline maw={420}>
    <span className="soft">{describeUserAgent(userAgent)}</span>
  </Hint>
)

function whoOf({ channel, email, user_id: userId, user_name: name, api_key: key }: ListedDownload): string {
  if (email !== null) return email
  if (userId !== null) return name ?? 'A member'
  if (key !== null) return key.name
  return channel === 'api' ? 'A deleted key' : channel === 'console' ? 'A former member' : 'A visitor'
}

/** Returns how the build was downloaded, with the group or portal. */
function channelOf(download: ListedDownload): string {
  const { distribution_group_name: group, portal_name: portal } = download
  const channel =
    group !== null
      ? `${groupingNames.distribution_group}: ${group}`
      : portal !== null
        ? `${groupingNames.portal}: ${portal}`
        : channelNames[download.channel]
  return download.is_install ? `${channel}, installed` : channel
}
