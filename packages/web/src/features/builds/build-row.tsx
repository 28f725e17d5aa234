import { Checkbox, Loader, Skeleton } from '@mantine/core'
import type { ListedBuild } from '@quayside/sdk'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { formatBytes } from '../../ui/bytes.ts'
import { Hint } from '../../ui/hint.tsx'
import { PlatformIcon } from '../../ui/platform-icon.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { BranchCommit, BuildLabels, RetentionCountdown, SourceRun } from './build-cells.tsx'
import type { Column } from './build-columns.ts'
import { BuildRowActions } from './build-row-actions.tsx'
import classes from './build-table.module.css'
import { versionText } from './build.queries.ts'

type Props = {
  applicationId: string
  /** Undefined while the row is loading. */
  build: ListedBuild | undefined
  position: number
  columns: readonly Column[]
  isSelected: boolean
  isActive: boolean
  onSelect: (position: number, withRange: boolean) => void
}

/**
 * A row of the builds list. The version is a link, so that the row can be opened in a new tab. A row is not rendered again
 * when others are added or selected.
 */
export const BuildRow = memo(function BuildRow({
  applicationId,
  build,
  position,
  columns,
  isSelected,
  isActive,
  onSelect,
}: Props) {
  const common = { role: 'row', 'aria-rowindex': position + 2, className: classes.row }
  if (build === undefined)
    return (
      <div {...common} aria-busy>
        <span role="cell" />
        <span role="cell" />
        {['version', ...columns].map((column) => (
          <span role="cell" key={column}>
            <Skeleton height={12} width="70%" />
          </span>
        ))}
      </div>
    )
  const cells: Record<Column, React.ReactNode> = {
    stream: <span className={classes.text}>{build.stream.name}</span>,
    labels: <BuildLabels build={build} />,
    commit: <BranchCommit build={build} />,
    source: <SourceRun build={build} />,
    size: <span className="tabular">{formatBytes(build.size_total_bytes)}</span>,
    age: <RelativeTime time={build.created_at} short />,
  }
  return (
    <div {...common} data-selected={isSelected || undefined} data-active={isActive || undefined}>
      <span role="cell" className={classes.check}>
        <Checkbox
          size="xs"
          checked={isSelected}
          aria-label={`Select ${versionText(build)}`}
          onChange={() => {}}
          onClick={(event) => onSelect(position, event.shiftKey)}
        />
      </span>
      <span role="cell" className={classes.icon}>
        <PlatformIcon platform={build.platform} />
      </span>
      <span role="cell" className={classes.versionCell}>
        <Link
          to="/applications/$applicationId/builds/$buildId"
          params={{ applicationId, buildId: build.id }}
          className={classes.version}
        >
          {build.version}
          {build.build_number !== null && <span className={classes.number}> ({build.build_number})</span>}
        </Link>
        <BuildState build={build} />
      </span>
      {columns.map((column) => (
        <span role="cell" key={column} data-column={column} className={classes.cell}>
          {cells[column]}
        </span>
      ))}
      <span role="cell" className={classes.actions}>
        <span className={classes.countdown}>
          <RetentionCountdown build={build} />
        </span>
        <BuildRowActions applicationId={applicationId} build={build} />
      </span>
    </div>
  )
})

/** Says that the package is still being read, or could not be read. */
export function BuildState({ build }: { build: ListedBuild }) {
  if (build.pending_processing)
    return (
      <span className={classes.state}>
        <Loader size={11} /> reading package…
      </span>
    )
  if (build.processing_error === null) return null
  return (
    <Hint label={build.processing_error} multiline w={280}>
      <span className={classes.state} data-failed>
        <IconAlertTriangle size={15} role="img" aria-label="The package could not be read" />
      </span>
    </Hint>
  )
}
