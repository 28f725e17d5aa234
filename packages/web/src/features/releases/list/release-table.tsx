import { Badge, Skeleton, UnstyledButton } from '@mantine/core'
import type { Release } from '@quayside/sdk'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { plural } from '../../../ui/bytes.ts'
import { PlatformIcon } from '../../../ui/platform-icon.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { useIsNarrow } from '../../../ui/use-is-narrow.ts'
import { useRowFocus } from '../../../ui/use-row-focus.ts'
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

const columns: readonly { label: string; sortBy?: NonNullable<ReleaseListSearch['sort_by']> }[] = [
  { label: 'Version', sortBy: 'version' },
  { label: 'Title', sortBy: 'title' },
  { label: 'Status' },
  { label: 'Platforms' },
  { label: 'Labels' },
  { label: 'Builds' },
  { label: 'Created', sortBy: 'created_at' },
]

/** The releases as rows, or as cards on a phone. */
export function ReleaseTable({ applicationId, releases, search, isStale, onChange }: Props) {
  const isPhone = useIsNarrow('48em')
  const ref = useRowFocus<HTMLDivElement>()
  const Item = isPhone ? ReleaseCard : ReleaseRow
  const latest = releases === undefined ? undefined : latestOf(releases, search)
  return (
    <div role="table" aria-label="Releases" className={`${classes.table} ${isStale ? classes.stale : ''}`}>
      {!isPhone && (
        <div role="rowgroup">
          <div role="row" className={classes.headRow}>
            {columns.map((column) => (
              <Heading key={column.label} {...column} search={search} onChange={onChange} />
            ))}
          </div>
        </div>
      )}
      <div role="rowgroup" ref={ref}>
        {releases === undefined
          ? Array.from({ length: 8 }, (_, index) => <SkeletonRow key={index} isPhone={isPhone} />)
          : releases.map((release) => (
              <Item
                key={release.id}
                applicationId={applicationId}
                release={release}
                isLatest={release === latest}
              />
            ))}
      </div>
    </div>
  )
}

type HeadingProps = (typeof columns)[number] & Pick<Props, 'search' | 'onChange'>

function Heading({ label, sortBy, search, onChange }: HeadingProps) {
  if (sortBy === undefined) return <span role="columnheader">{label}</span>
  const isSorted = (search.sort_by ?? 'created_at') === sortBy
  const isAscending = isSorted && search.sort === 'asc'
  const Arrow = isAscending ? IconArrowUp : IconArrowDown
  return (
    <span role="columnheader" aria-sort={isSorted ? (isAscending ? 'ascending' : 'descending') : 'none'}>
      <UnstyledButton
        className={classes.sort}
        onClick={() => onChange({ sort_by: sortBy, sort: isSorted && !isAscending ? 'asc' : 'desc' })}
      >
        {label}
        {isSorted && <Arrow size={13} aria-hidden />}
      </UnstyledButton>
    </span>
  )
}

/** Returns the release that people get now. It is known only if the list is complete and starts with the newest one. */
function latestOf(releases: readonly Release[], search: ReleaseListSearch): Release | undefined {
  if (isFiltered(search) || search.sort_by !== undefined || search.sort === 'asc') return undefined
  return releases.find(({ status }) => status === 'published')
}

type ItemProps = { applicationId: string; release: Release; isLatest: boolean }

function ReleaseRow({ applicationId, release, isLatest }: ItemProps) {
  return (
    <div role="row" className={classes.row}>
      <span role="cell">
        <VersionLink applicationId={applicationId} release={release} />
        {isLatest && <LatestBadge />}
      </span>
      <span role="cell">{release.title}</span>
      <span role="cell">
        <ReleaseStatus release={release} />
      </span>
      <span role="cell">
        <Platforms release={release} />
      </span>
      <span role="cell">
        <BuildLabels build={release} />
      </span>
      <span role="cell" className="tabular">
        {release.build_count}
      </span>
      <span role="cell" className={classes.soft}>
        <RelativeTime time={release.created_at} short />
      </span>
    </div>
  )
}

function ReleaseCard({ applicationId, release, isLatest }: ItemProps) {
  return (
    <div role="row" className={classes.card}>
      <div className={classes.line} role="cell">
        <span>
          <VersionLink applicationId={applicationId} release={release} />
          {isLatest && <LatestBadge />}
        </span>
        <ReleaseStatus release={release} />
      </div>
      <div role="cell" className={classes.title}>
        {release.title}
      </div>
      <div className={classes.line} role="cell">
        <Platforms release={release} />
        <span className={classes.soft}>
          {plural(release.build_count, 'build')} · <RelativeTime time={release.created_at} short />
        </span>
      </div>
    </div>
  )
}

const LatestBadge = () => (
  <Badge variant="outline" size="sm" ml={8} tt="none">
    Latest
  </Badge>
)

function VersionLink({ applicationId, release }: Omit<ItemProps, 'isLatest'>) {
  return (
    <Link
      to="/applications/$applicationId/releases/$releaseId"
      params={{ applicationId, releaseId: release.id }}
      className={classes.version}
      data-row-link
    >
      {release.version}
    </Link>
  )
}

const Platforms = ({ release: { platforms } }: Pick<ItemProps, 'release'>) => (
  <span className={classes.platforms}>
    {platforms.map((platform) => (
      <PlatformIcon key={platform.identifier} platform={platform} size={17} />
    ))}
  </span>
)

function SkeletonRow({ isPhone }: { isPhone: boolean | undefined }) {
  return (
    <div role="row" aria-busy className={isPhone ? classes.card : classes.row}>
      {(isPhone ? ['version', 'title', 'facts'] : columns.map(({ label }) => label)).map((name) => (
        <span role="cell" key={name}>
          <Skeleton height={12} width="70%" />
        </span>
      ))}
    </div>
  )
}
