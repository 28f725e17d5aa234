import { Badge } from '@mantine/core'
import type { Release } from '@quayside/sdk'
import { Link } from '@tanstack/react-router'
import { plural } from '../../../ui/format/bytes.ts'
import { RelativeTime } from '../../../ui/format/relative-time.tsx'
import { PlatformIcon } from '../../../ui/platform-icon.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { CardLine, rowLink } from '../../../ui/table/table-row.tsx'
import { BuildLabels } from '../../builds/build-cells.tsx'
import { ReleaseStatus } from '../release-status.tsx'
import classes from './release-list.module.css'
import { isFiltered, type ReleaseListSearch } from './release-list.search.ts'

type Props = {
  applicationId: string
  /** Undefined while the first page is loading. */
  releases: readonly Release[] | undefined
  search: ReleaseListSearch
  isStale: boolean
  onChange: (change: Partial<ReleaseListSearch>) => void
}

/** The releases as rows, or as cards on a phone. */
export function ReleaseTable({ applicationId, releases, search, isStale, onChange }: Props) {
  const latest = releases === undefined ? undefined : latestOf(releases, search)
  return (
    <DataTable
      label="Releases"
      columns={columns}
      rows={releases?.map((release) => ({ applicationId, release, isLatest: release === latest }))}
      keyOf={({ release: { id } }) => id}
      order={{ sort_by: search.sort_by ?? 'created_at', sort: search.sort ?? 'desc' }}
      onSort={onChange}
      isStale={isStale}
      card={(line) => <ReleaseCard {...line} />}
    />
  )
}

/** Returns the release that people get now. It is known only if the list is complete and starts with the newest one. */
function latestOf(releases: readonly Release[], search: ReleaseListSearch): Release | undefined {
  if (isFiltered(search) || search.sort_by !== undefined || search.sort === 'asc') return undefined
  return releases.find(({ status }) => status === 'published')
}

type Line = { applicationId: string; release: Release; isLatest: boolean }

const columns: readonly Column<Line, NonNullable<ReleaseListSearch['sort_by']>>[] = [
  {
    id: 'version',
    label: 'Version',
    width: 'minmax(6rem, 0.8fr)',
    sortBy: 'version',
    cell: (line) => <Version {...line} />,
  },
  {
    id: 'title',
    label: 'Title',
    width: 'minmax(0, 1.6fr)',
    sortBy: 'title',
    cell: ({ release }) => release.title,
  },
  {
    id: 'status',
    label: 'Status',
    width: 'minmax(8.5rem, 1fr)',
    cell: ({ release }) => <ReleaseStatus release={release} />,
  },
  {
    id: 'platforms',
    label: 'Platforms',
    width: 'minmax(4.5rem, 0.7fr)',
    hiddenBelow: 'narrow',
    cell: ({ release }) => <Platforms release={release} />,
  },
  {
    id: 'labels',
    label: 'Labels',
    width: 'minmax(13rem, 1.2fr)',
    hiddenBelow: 'medium',
    cell: ({ release }) => <BuildLabels build={release} />,
  },
  {
    id: 'builds',
    label: 'Builds',
    width: '3.5rem',
    hiddenBelow: 'medium',
    cell: ({ release }) => <span className="tabular">{release.build_count}</span>,
  },
  {
    id: 'created',
    label: 'Created',
    width: '5rem',
    sortBy: 'created_at',
    cell: ({ release }) => (
      <span className="soft">
        <RelativeTime time={release.created_at} short />
      </span>
    ),
  },
]

function ReleaseCard(line: Line) {
  const { release } = line
  return (
    <>
      <CardLine>
        <Version {...line} />
        <ReleaseStatus release={release} />
      </CardLine>
      <div role="cell">{release.title}</div>
      <CardLine>
        <Platforms release={release} />
        <span className="soft">
          {plural(release.build_count, 'build')} · <RelativeTime time={release.created_at} short />
        </span>
      </CardLine>
    </>
  )
}

const Version = ({ applicationId, release, isLatest }: Line) => (
  <span>
    <Link
      to="/applications/$applicationId/releases/$releaseId"
      params={{ applicationId, releaseId: release.id }}
      {...rowLink}
    >
      {release.version}
    </Link>
    {isLatest && (
      <Badge variant="outline" size="sm" ml={8} tt="none">
        Latest
      </Badge>
    )}
  </span>
)

const Platforms = ({ release: { platforms } }: Pick<Line, 'release'>) => (
  <span className={classes.platforms}>
    {platforms.map((platform) => (
      <PlatformIcon key={platform.identifier} platform={platform} size={17} />
    ))}
  </span>
)
