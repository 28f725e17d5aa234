import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import type { CSSProperties, ReactNode, Ref } from 'react'
import { IconArrowDown, IconArrowUp } from '../icons/icons.ts'
import { tracksOf, type Column, type Order } from './column.ts'
import classes from './table.module.css'

type Props<Row, SortKey extends string> = {
  label: string
  columns: readonly Column<Row, SortKey>[]
  order?: Order<SortKey>
  onSort?: (order: Order<SortKey>) => void
  isStale?: boolean
  isHeadHidden?: boolean
  /** Whether the columns stay beside each other on a phone. */
  isCompact?: boolean
  /** The number of rows if only some of them are drawn. */
  rowCount?: number
  /** The height of all rows in pixels if only some of them are drawn. */
  height?: number
  bodyRef?: Ref<HTMLDivElement>
  className?: string | undefined
  children: ReactNode
}

/** The head of a table, and the place for its rows. */
export function TableFrame<Row, SortKey extends string = never>({
  label,
  columns,
  isStale = false,
  isHeadHidden = false,
  isCompact = false,
  rowCount,
  height,
  bodyRef,
  className = '',
  children,
  ...sorting
}: Props<Row, SortKey>) {
  return (
    <div
      role="table"
      aria-label={label}
      aria-rowcount={rowCount === undefined ? undefined : rowCount + 1}
      className={`${classes.table} ${className}`}
      data-compact={isCompact || undefined}
      style={{ '--tracks': tracksOf(columns) } as CSSProperties}
    >
      <div role="rowgroup" className={classes.head} data-hidden={isHeadHidden || undefined}>
        <div role="row" aria-rowindex={rowCount === undefined ? undefined : 1} className={classes.headRow}>
          {columns.map((column) => (
            <ColumnHeader key={column.id} column={column} {...sorting} />
          ))}
        </div>
      </div>
      <div
        role="rowgroup"
        ref={bodyRef}
        className={classes.body}
        data-stale={isStale || undefined}
        style={{ height }}
      >
        {children}
      </div>
    </div>
  )
}

type HeaderProps<Row, SortKey extends string> = {
  column: Column<Row, SortKey>
  order?: Order<SortKey>
  onSort?: (order: Order<SortKey>) => void
}

/** Sorts by the column if the API can, and the other way round on the second click. */
function ColumnHeader<Row, SortKey extends string>({ column, order, onSort }: HeaderProps<Row, SortKey>) {
  const { id, label, head, isLabelHidden, sortBy, hiddenBelow, isAtEnd } = column
  const common = {
    role: 'columnheader',
    'data-column': id,
    'data-below': hiddenBelow,
    'data-end': isAtEnd,
  }
  if (sortBy === undefined || onSort === undefined)
    return (
      <span {...common}>{head ?? (isLabelHidden ? <VisuallyHidden>{label}</VisuallyHidden> : label)}</span>
    )
  const direction = order?.sort_by === sortBy ? order.sort : undefined
  const Arrow = direction === 'asc' ? IconArrowUp : IconArrowDown
  return (
    <span
      {...common}
      aria-sort={direction === undefined ? 'none' : direction === 'asc' ? 'ascending' : 'descending'}
    >
      <UnstyledButton
        className={classes.sort}
        onClick={() => onSort({ sort_by: sortBy, sort: direction === 'desc' ? 'asc' : 'desc' })}
      >
        {label}
        {direction !== undefined && <Arrow size={13} aria-hidden />}
      </UnstyledButton>
    </span>
  )
}
