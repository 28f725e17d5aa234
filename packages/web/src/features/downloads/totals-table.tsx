import { Button, Text } from '@mantine/core'
import type { DownloadGroup } from '@quayside/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { channelNames, downloadsText, groupingNames } from '../../text/distribution/downloads.ts'
import { formatCount, plural } from '../../ui/format/bytes.ts'
import { RelativeTime } from '../../ui/format/relative-time.tsx'
import { FailureBanner } from '../../ui/loading/failure-banner.tsx'
import type { Column } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { downloadTotalsQuery } from './download.queries.ts'
import classes from './downloads.module.css'
import type { DownloadFilter, DownloadsSearch, groupings } from './downloads.search.ts'

type Grouping = (typeof groupings)[number]
type Props = {
  applicationId: string
  filter: DownloadFilter
  by: Grouping
  /** Shows the downloads of one group. */
  onSelect: (change: DownloadsSearch) => void
  empty: ReactNode
}

/** How many downloads there are by person, version or another grouping. */
export function TotalsTable({ applicationId, filter, by, onSelect, empty }: Props) {
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...downloadTotalsQuery(applicationId, filter, by),
    placeholderData: keepPreviousData,
  })
  if (error !== null) return <FailureBanner error={error} onRetry={() => void refetch()} />
  if (data?.groups.length === 0 && !isPlaceholderData) return empty
  return (
    <>
      <DataTable
        label={`Downloads by ${groupingNames[by].toLowerCase()}`}
        columns={columnsOf(by, onSelect)}
        rows={data?.groups}
        keyOf={({ value, kind }) => `${kind} ${value}`}
        isStale={isPlaceholderData}
        isCompact
      />
      {data !== undefined && data.group_count > data.groups.length && (
        <Text mt="sm" fz="xs" c="dimmed">
          {downloadsText.mostOnly(formatCount(data.groups.length), formatCount(data.group_count))}
        </Text>
      )}
    </>
  )
}

const columnsOf = (by: Grouping, onSelect: Props['onSelect']): readonly Column<DownloadGroup>[] => [
  {
    id: 'group',
    label: groupingNames[by],
    width: 'minmax(0, 1fr)',
    isInteractive: true,
    cell: (group) => (
      <Button
        variant="transparent"
        className={classes.group ?? ''}
        onClick={() => onSelect({ ...selectionOf(by, group), by: undefined })}
      >
        {nameOf(by, group)}
      </Button>
    ),
  },
  {
    id: 'downloads',
    label: 'Downloads',
    width: '7rem',
    isAtEnd: true,
    cell: ({ download_count: count, install_count: installs }) =>
      installs === 0 ? formatCount(count) : `${formatCount(count)} (${plural(installs, 'install')})`,
  },
  {
    id: 'latest',
    label: 'Latest',
    width: '7rem',
    isAtEnd: true,
    hiddenBelow: 'narrow',
    cell: ({ latest_at: at }) => (
      <span className="soft">
        <RelativeTime time={at} />
      </span>
    ),
  },
]

function nameOf(by: Grouping, { value, name }: DownloadGroup): string {
  if (by === 'channel') return channelNames[value as keyof typeof channelNames] ?? value
  return name ?? value
}

/** Returns the filter that selects the downloads of a group. */
function selectionOf(by: Grouping, { value, kind }: DownloadGroup): DownloadsSearch {
  if (by === 'person')
    return { [kind === 'email' ? 'email' : kind === 'user' ? 'user_id' : 'api_key_id']: value }
  if (by === 'channel' || by === 'platform' || by === 'version') return { [by]: value }
  return { [`${by}_id`]: value }
}
