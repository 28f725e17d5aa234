import { Checkbox } from '@mantine/core'
import type { GroupedBuild, ListedBuild } from '@quayside/sdk'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState, type Ref } from 'react'
import { TableFrame } from '../../../ui/table/table-frame.tsx'
import { useIsNarrow } from '../../../ui/use-is-narrow.ts'
import { defaultOrder } from '../build.queries.ts'
import type { BuildColumn } from './build-columns.tsx'
import type { BuildListSearch } from './build-list.search.ts'
import { BuildRow } from './build-row.tsx'
import classes from './build-table.module.css'
import { buildsOf, type Line } from './use-build-lines.ts'

export type BuildTableHandle = {
  /** Scrolls by as little as necessary to show a row. */
  showRow: (position: number) => void
  /** Takes note of the place of the table after something above it has changed its height. */
  measureMargin: () => void
}

type Props = {
  ref: Ref<BuildTableHandle>
  applicationId: string
  search: BuildListSearch
  total: number
  isPending: boolean
  isStale: boolean
  columns: readonly BuildColumn[]
  /** Called with the positions of the first and last drawn row when they change. */
  onRange: (first: number, last: number) => void
  /** Returns the position of the row of a line. */
  rowOf: (position: number) => number
  lineAt: (position: number) => Line | undefined
  isOpen: (build: GroupedBuild) => boolean
  onToggle: (build: GroupedBuild) => void
  selected: ReadonlyMap<string, ListedBuild>
  activeRow: number | undefined
  areAllSelected: boolean
  onSelectAll: () => void
  onSelect: (position: number, withRange: boolean) => void
  onChange: (change: Partial<BuildListSearch>) => void
}

const rowHeight = 44
/** All cards have the same height, so that the list never jumps. */
const cardHeight = 104
const pendingRows = 12

/**
 * Draws only the lines near the visible part of the list; each keeps its place while others load. Scrolling renders this
 * component and the rows that come into view, but neither the page nor the rows that stay.
 */
export function BuildTable(props: Props) {
  const { total, isStale, columns, lineAt, selected, search } = props
  const isPhone = useIsNarrow('48em')
  const { virtualizer, items, height, bodyRef } = useVisibleRows(props, isPhone)
  return (
    <TableFrame
      label="Builds"
      columns={columns.map((column) =>
        column.id === 'select' ? { ...column, head: selectAll(props) } : column,
      )}
      order={{
        ...defaultOrder,
        ...(search.sort_by && { sort_by: search.sort_by, sort: search.sort ?? 'asc' }),
      }}
      onSort={props.onChange}
      isStale={isStale}
      rowCount={total}
      height={virtualizer.getTotalSize()}
      bodyRef={bodyRef}
      className={`${classes.table} ${selected.size > 0 ? classes.selecting : ''}`}
    >
      {items.map(({ index, start }) => {
        const line = lineAt(index)
        const builds = buildsOf(line)
        return (
          <div
            key={index}
            className={classes.slot}
            data-member={line?.isMember === true || undefined}
            style={{ height, transform: `translateY(${start - virtualizer.options.scrollMargin}px)` }}
          >
            <BuildRow
              applicationId={props.applicationId}
              build={line?.build}
              isOpen={line !== undefined && !line.isMember && props.isOpen(line.build)}
              position={index}
              columns={columns}
              isCard={isPhone}
              isSelected={line !== undefined && builds.every(({ id }) => selected.has(id))}
              isActive={props.activeRow === index}
              onSelect={props.onSelect}
              onToggle={props.onToggle}
            />
          </div>
        )
      })}
    </TableFrame>
  )
}

/** Returns the rows to draw. Reports which they are, and lets the page scroll to a row. */
function useVisibleRows({ ref, total, isPending, search, onRange, rowOf }: Props, isPhone: boolean) {
  const bodyRef = useRef<HTMLDivElement>(null)
  const [scrollMargin, setScrollMargin] = useState(0)
  const overscan = useOverscan(!isPending)
  const height = isPhone ? cardHeight : rowHeight
  const virtualizer = useWindowVirtualizer<HTMLDivElement>({
    count: isPending ? pendingRows : total,
    estimateSize: () => height,
    overscan,
    scrollMargin,
    // The server, which draws the page first, does not know the size of the window.
    initialRect: { width: 1440, height: 700 },
  })
  const items = virtualizer.getVirtualItems()
  const first = rowOf(items[0]?.index ?? 0)
  const last = rowOf(items.at(-1)?.index ?? 0)
  useEffect(() => onRange(first, last), [onRange, first, last])
  const measureMargin = () => setScrollMargin(bodyRef.current?.offsetTop ?? 0)
  useLayoutEffect(measureMargin, [isPending, search])
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, isPhone])
  useImperativeHandle(ref, () => ({
    showRow: (position) => virtualizer.scrollToIndex(position, { align: 'auto' }),
    measureMargin,
  }))
  return { virtualizer, items, height, bodyRef }
}

const selectAll = ({ selected, areAllSelected, onSelectAll }: Props) => (
  <Checkbox
    size="xs"
    aria-label="Select all loaded builds"
    checked={areAllSelected}
    indeterminate={selected.size > 0 && !areAllSelected}
    onChange={onSelectAll}
  />
)

const scrolledRows = 10

/** Returns how many rows to draw outside the window: none until the visible ones have been painted. */
function useOverscan(isLoaded: boolean): number {
  const [isPainted, setIsPainted] = useState(false)
  useEffect(() => {
    if (!isLoaded) return undefined
    const frame = requestAnimationFrame(() => setTimeout(() => setIsPainted(true)))
    return () => cancelAnimationFrame(frame)
  }, [isLoaded])
  return isPainted ? scrolledRows : 0
}
