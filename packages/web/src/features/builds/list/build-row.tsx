import type { ListedBuild } from '@quayside/sdk'
import { memo } from 'react'
import { formatBytes } from '../../../ui/format/bytes.ts'
import { RelativeTime } from '../../../ui/format/relative-time.tsx'
import { PlatformIcon } from '../../../ui/platform-icon.tsx'
import { CardLine, SkeletonRow, TableRow } from '../../../ui/table/table-row.tsx'
import { BranchCommit, BuildLabels, BuildState, RetentionCountdown } from '../build-cells.tsx'
import { BuildLink, type BuildColumn, type BuildLine } from './build-columns.tsx'
import { BuildRowActions } from './build-row-actions.tsx'
import classes from './build-table.module.css'

type Props = {
  applicationId: string
  /** Undefined while the row is loading. */
  build: ListedBuild | undefined
  position: number
  columns: readonly BuildColumn[]
  isCard: boolean
  isSelected: boolean
  isActive: boolean
  onSelect: (position: number, withRange: boolean) => void
}

/** A row of the builds list, which is not rendered again when others are added or selected. */
export const BuildRow = memo(function BuildRow({ applicationId, build, isCard, onSelect, ...row }: Props) {
  const { columns, position, isSelected, isActive } = row
  if (build === undefined) return <SkeletonRow columns={columns} position={position} />
  return (
    <TableRow
      columns={columns}
      row={{ applicationId, build, isSelected, onSelect: (withRange) => onSelect(position, withRange) }}
      position={position}
      isSelected={isSelected}
      isActive={isActive}
    >
      {isCard ? <BuildCard applicationId={applicationId} build={build} /> : undefined}
    </TableRow>
  )
})

/** A build in the list on a phone. */
function BuildCard({ applicationId, build }: Pick<BuildLine, 'applicationId' | 'build'>) {
  return (
    <>
      <div className={classes.version} role="cell">
        <PlatformIcon platform={build.platform} />
        <BuildLink applicationId={applicationId} build={build} />
        <BuildState build={build} />
        <span className={classes.end} data-interactive>
          <RetentionCountdown build={build} />
          <BuildRowActions applicationId={applicationId} build={build} />
        </span>
      </div>
      <div className={classes.version} role="cell">
        <span>{build.stream.name}</span>
        <BuildLabels build={build} />
      </div>
      <CardLine>
        <BranchCommit build={build} />
        <span className="soft">
          {formatBytes(build.size_total_bytes)} · <RelativeTime time={build.created_at} short />
        </span>
      </CardLine>
    </>
  )
}
