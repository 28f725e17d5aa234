import { Checkbox, UnstyledButton } from '@mantine/core'
import type { ListedBuild } from '@quayside/sdk'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { useWindowVirtualizer } from '@tanstack/react-virtual'
import type { RefObject } from 'react'
import { useIsNarrow } from '../../ui/use-is-narrow.ts'
import { BuildCard } from './build-card.tsx'
import { allColumns, type Column } from './build-columns.ts'
import type { BuildListSearch } from './build-list.search.ts'
import { BuildRow } from './build-row.tsx'
import classes from './build-table.module.css'
import { defaultOrder } from './build.queries.ts'

type Props = {
  applicationId: string
  search: BuildListSearch
  total: number
  isStale: boolean
  columns: readonly Column[]
  template: string
  virtualizer: ReturnType<typeof useWindowVirtualizer<HTMLDivElement>>
  bodyRef: RefObject<HTMLDivElement | null>
  buildAt: (position: number) => ListedBuild | undefined
  selected: ReadonlyMap<string, ListedBuild>
  activeRow: number | undefined
  areAllSelected: boolean
  onSelectAll: () => void
  onSelect: (position: number, withRange: boolean) => void
  onChange: (change: Partial<BuildListSearch>) => void
}

/** Draws only the rows near the visible part of the list; each keeps its place while others load. */
export function BuildTable(props: Props) {
  const { applicationId, total, isStale, columns, template, virtualizer, bodyRef, buildAt, selected } = props
  const isPhone = useIsNarrow('48em')
  return (
    <div
      role="table"
      aria-label="Builds"
      aria-rowcount={total + 1}
      className={`${classes.table} ${selected.size > 0 ? classes.selecting : ''}`}
      style={{ '--build-columns': template } as React.CSSProperties}
    >
      {!isPhone && <Head {...props} />}
      <div
        role="rowgroup"
        ref={bodyRef}
        className={`${classes.body} ${isStale ? classes.stale : ''}`}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const build = buildAt(index)
          const row = {
            applicationId,
            build,
            position: index,
            isSelected: build !== undefined && selected.has(build.id),
            isActive: props.activeRow === index,
            onSelect: props.onSelect,
          }
          return (
            <div
              key={index}
              className={classes.slot}
              style={{ transform: `translateY(${start - virtualizer.options.scrollMargin}px)` }}
            >
              {isPhone ? <BuildCard {...row} /> : <BuildRow {...row} columns={columns} />}
            </div>
          )
        })}
      </div>
    </div>
  )
}

function Head({ columns, search, selected, areAllSelected, onSelectAll, onChange }: Props) {
  const order = {
    ...defaultOrder,
    ...(search.sort_by && { sort_by: search.sort_by, sort: search.sort ?? 'asc' }),
  }
  return (
    <div role="rowgroup" className={classes.head}>
      <div role="row" aria-rowindex={1} className={classes.headRow}>
        <span role="columnheader">
          <Checkbox
            size="xs"
            aria-label="Select all loaded builds"
            checked={areAllSelected}
            indeterminate={selected.size > 0 && !areAllSelected}
            onChange={onSelectAll}
          />
        </span>
        <span role="columnheader" aria-label="Platform" />
        <SortHeader label="Version" sortBy="version" order={order} onChange={onChange} />
        {allColumns
          .filter(({ id }) => columns.includes(id))
          .map(({ id, label, sortBy }) =>
            sortBy === undefined ? (
              <span key={id} role="columnheader">
                {label}
              </span>
            ) : (
              <SortHeader key={id} label={label} sortBy={sortBy} order={order} onChange={onChange} />
            ),
          )}
        <span role="columnheader" aria-label="Actions" />
      </div>
    </div>
  )
}

type SortProps = {
  label: string
  sortBy: NonNullable<BuildListSearch['sort_by']>
  order: { sort_by: string; sort: 'asc' | 'desc' }
  onChange: Props['onChange']
}

/** Sorts by a column, the other way round on the second click. An age is sorted by the time of creation. */
function SortHeader({ label, sortBy, order, onChange }: SortProps) {
  const isSorted = order.sort_by === sortBy
  const next = isSorted && order.sort === 'desc' ? 'asc' : 'desc'
  const Arrow = order.sort === 'asc' ? IconArrowUp : IconArrowDown
  const state = order.sort === 'asc' ? 'ascending' : 'descending'
  return (
    <span role="columnheader" aria-sort={isSorted ? state : 'none'}>
      <UnstyledButton className={classes.sort} onClick={() => onChange({ sort_by: sortBy, sort: next })}>
        {label}
        {isSorted && <Arrow size={13} aria-hidden />}
      </UnstyledButton>
    </span>
  )
}
