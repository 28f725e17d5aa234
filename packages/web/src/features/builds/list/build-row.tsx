import type { GroupedBuild } from '@quayside/sdk'
import { memo } from 'react'
import { formatBytes } from '../../../ui/format/bytes.ts'
import { RelativeTime } from '../../../ui/format/relative-time.tsx'
import { CardLine, SkeletonRow, TableRow } from '../../../ui/table/table-row.tsx'
import { BranchCommit, BuildLabels, BuildState, RetentionCountdown } from '../build-cells.tsx'
import { ungroup } from '../build.queries.ts'
import { BuildLink, type BuildColumn } from './build-columns.tsx'
import { isComplete, type BuildLine } from './build-line.ts'
import { BuildRowActions } from './build-row-actions.tsx'
import classes from './build-table.module.css'
import { GroupToggle, labelsOf, PlatformIcons, streamNames, totalBytes } from './grouped-cells.tsx'

type Props = {
  applicationId: string
  /** Undefined while the row is loading. */
  build: GroupedBuild | undefined
  /** Whether the builds of the group are below. */
  isOpen: boolean
  position: number
  columns: readonly BuildColumn[]
  isCard: boolean
  isSelected: boolean
  isActive: boolean
  onSelect: (position: number, withRange: boolean) => void
  onToggle: (build: GroupedBuild) => void
}

/** A row of the builds list, which is not rendered again when others are added or selected. */
export const BuildRow = memo(function BuildRow(props: Props) {
  const { applicationId, build, isCard, columns, position, isSelected, isActive } = props
  if (build === undefined) return <SkeletonRow columns={columns} position={position} />
  const line: BuildLine = {
    applicationId,
    build,
    builds: ungroup([build]),
    isOpen: props.isOpen,
    isSelected,
    onSelect: (withRange) => props.onSelect(position, withRange),
    onToggle: () => props.onToggle(build),
  }
  return (
    <TableRow columns={columns} row={line} position={position} isSelected={isSelected} isActive={isActive}>
      {isCard ? <BuildCard line={line} /> : undefined}
    </TableRow>
  )
})

/** A build in the list on a phone. */
function BuildCard({ line }: { line: BuildLine }) {
  const { applicationId, build, builds } = line
  return (
    <>
      <div className={classes.version} role="cell">
        <PlatformIcons builds={builds} />
        <BuildLink applicationId={applicationId} build={build} />
        <BuildState build={build} />
        <GroupToggle line={line} />
        <span className={classes.end} data-interactive>
          <RetentionCountdown build={build} />
          {isComplete(line) && <BuildRowActions applicationId={applicationId} builds={builds} />}
        </span>
      </div>
      <div className={classes.version} role="cell">
        <span>{streamNames(builds)}</span>
        <BuildLabels build={{ labels: labelsOf(builds) }} />
      </div>
      <CardLine>
        <BranchCommit build={build} />
        <span className="soft">
          {formatBytes(totalBytes(builds))} · <RelativeTime time={build.created_at} short />
        </span>
      </CardLine>
    </>
  )
}
