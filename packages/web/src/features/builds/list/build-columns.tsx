import { Checkbox } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { hiddenColumnsAtFirst } from '../../../api/browser.ts'
import { hiddenColumnsKey, saveView } from '../../../api/view-cookie.ts'
import { buildText } from '../../../text/builds/build.ts'
import { formatBytes } from '../../../ui/format/bytes.ts'
import { RelativeTime } from '../../../ui/format/relative-time.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { rowLink } from '../../../ui/table/table-row.tsx'
import { BranchCommit, BuildLabels, BuildState, RetentionCountdown, SourceRun } from '../build-cells.tsx'
import { versionText } from '../build.queries.ts'
import { isComplete, type BuildLine } from './build-line.ts'
import type { BuildListSearch } from './build-list.search.ts'
import { BuildRowActions } from './build-row-actions.tsx'
import classes from './build-table.module.css'
import { GroupToggle, labelsOf, maxIcons, PlatformIcons, streamNames, totalBytes } from './grouped-cells.tsx'
import type { Room } from './use-build-pages.ts'

export type BuildColumn = Column<BuildLine, NonNullable<BuildListSearch['sort_by']>>

/** The columns that can be hidden, in their order. The shares of the width are what usual values need. */
export const optionalColumns = [
  {
    id: 'stream',
    label: 'Stream',
    width: 'minmax(3.5rem, 64fr)',
    cell: ({ builds }) => streamNames(builds),
  },
  {
    id: 'labels',
    label: 'Labels',
    width: 'minmax(7.5rem, 149fr)',
    hiddenBelow: 'medium',
    cell: ({ builds }) => <BuildLabels build={{ labels: labelsOf(builds) }} />,
  },
  {
    id: 'commit',
    label: 'Commit',
    width: 'minmax(6.75rem, 226fr)',
    hiddenBelow: 'narrow',
    cell: ({ build }) => <BranchCommit build={build} />,
  },
  {
    id: 'source',
    label: 'Source',
    width: 'minmax(8rem, 131fr)',
    hiddenBelow: 'wide',
    cell: ({ build }) => <SourceRun build={build} />,
  },
  {
    id: 'size',
    label: 'Size',
    width: '3.75rem',
    sortBy: 'size_total_bytes',
    hiddenBelow: 'narrow',
    isAtEnd: true,
    cell: ({ builds }) => <span className="soft tabular">{formatBytes(totalBytes(builds))}</span>,
  },
  {
    id: 'age',
    label: 'Age',
    width: '2.875rem',
    sortBy: 'created_at',
    isAtEnd: true,
    cell: ({ build }) => (
      <span className="soft">
        <RelativeTime time={build.created_at} short />
      </span>
    ),
  },
] as const satisfies readonly BuildColumn[]

export type OptionalColumn = (typeof optionalColumns)[number]['id']

const firstColumns = ({ mostPlatforms, hasGroups }: Room): BuildColumn[] => [
  {
    id: 'select',
    label: 'Select',
    width: '1.25rem',
    isInteractive: true,
    cell: ({ build, builds, isSelected, onSelect }) => (
      <Checkbox
        size="xs"
        className={classes.check ?? ''}
        checked={isSelected}
        aria-label={`Select ${builds.length > 1 ? buildText.group.builds(build, builds.length) : versionText(build)}`}
        onChange={() => {}}
        onClick={(event) => onSelect(event.shiftKey)}
      />
    ),
  },
  {
    id: 'platform',
    label: 'Platform',
    isLabelHidden: true,
    width: `${Math.min(mostPlatforms, maxIcons) * 1.375 - 0.125}rem`,
    cell: ({ builds }) => <PlatformIcons builds={builds} />,
  },
  {
    id: 'version',
    label: 'Version',
    width: hasGroups ? 'minmax(13.875rem, 300fr)' : 'minmax(9rem, 218fr)',
    sortBy: 'version',
    cell: (line) => (
      <div className={classes.version}>
        <BuildLink applicationId={line.applicationId} build={line.build} />
        <BuildState build={line.build} />
        <GroupToggle line={line} />
      </div>
    ),
  },
]

const lastColumn: BuildColumn = {
  id: 'expires',
  label: 'Expires',
  width: 'var(--expires)',
  isAtEnd: true,
  isInteractive: true,
  cell: (line) => (
    <div className={classes.actions}>
      <span className={classes.countdown}>
        <RetentionCountdown build={line.build} />
      </span>
      {isComplete(line) && (
        <span className={classes.buttons}>
          <BuildRowActions applicationId={line.applicationId} builds={line.builds} />
        </span>
      )}
    </div>
  ),
}

/** The version with the build number, which links to the build. */
export const BuildLink = ({ applicationId, build }: Pick<BuildLine, 'applicationId' | 'build'>) => (
  <Link
    to="/applications/$applicationId/builds/$buildId"
    params={{ applicationId, buildId: build.id }}
    {...rowLink}
  >
    <span className={classes.name}>{build.version}</span>
    {build.build_number !== null && <span className={classes.number}>&nbsp;({build.build_number})</span>}
  </Link>
)

/** Returns the columns that `hidden_columns` in the URL names; undefined if the browser decides. */
export const columnsIn = (text: string | undefined): OptionalColumn[] | undefined => {
  const names = text?.split(',')
  return names && optionalColumns.map(({ id }) => id).filter((id) => names.includes(id))
}

export const columnsText = (hidden: readonly OptionalColumn[]): string =>
  hidden.length === 0
    ? 'none'
    : optionalColumns.flatMap(({ id }) => (hidden.includes(id) ? id : [])).join(',')

type Change = (change: Pick<BuildListSearch, 'hidden_columns'>) => void

/**
 * Returns the columns, which of them are hidden, and a function that shows or hides one. If the URL names the hidden columns,
 * they change there. Otherwise, the browser remembers them.
 */
export function useColumns({ mostPlatforms, hasGroups }: Room, inUrl: string | undefined, onChange: Change) {
  const [stored, setStored] = useLocalStorage<OptionalColumn[]>({
    key: hiddenColumnsKey,
    defaultValue: hiddenColumnsAtFirst() as OptionalColumn[],
    getInitialValueInEffect: false,
  })
  useEffect(() => saveView(stored), [stored])
  const hidden = useMemo(() => columnsIn(inUrl) ?? stored, [inUrl, stored])
  // The rows are rendered again when these columns are another array.
  const columns = useMemo(
    () => [
      ...firstColumns({ mostPlatforms, hasGroups }),
      ...optionalColumns
        .filter(({ id }) => !hidden.includes(id))
        .map((column): BuildColumn =>
          column.id === 'source' && hasGroups ? { ...column, hiddenBelow: 'widest' } : column,
        ),
      lastColumn,
    ],
    [hidden, mostPlatforms, hasGroups],
  )
  return {
    columns,
    hidden,
    toggle: (id: OptionalColumn) => {
      const next = hidden.includes(id) ? hidden.filter((each) => each !== id) : [...hidden, id]
      if (inUrl === undefined) setStored(next)
      else onChange({ hidden_columns: columnsText(next) })
    },
  }
}
