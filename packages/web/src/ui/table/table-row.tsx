import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Column } from './column.ts'
import classes from './table.module.css'

/** The properties of the link in a row, which covers the whole row so that it opens with any mouse button. */
export const rowLink = { className: classes.link, 'data-row-link': true } as const

/** The properties of a button that covers the whole row. */
export const rowButton = { className: `${classes.link} ${classes.button}` } as const

type Props<Row> = {
  columns: readonly Column<Row, string>[]
  row: Row
  /** The place of the row if only some rows of the table are drawn. */
  position?: number
  isSelected?: boolean | undefined
  /** Whether the keyboard is at the row, or its details are open. */
  isActive?: boolean | undefined
  /** Takes the place of the cells. */
  children?: ReactNode
}

/** A row of a table. */
export function TableRow<Row>({
  columns,
  row,
  position,
  isSelected = false,
  isActive = false,
  children,
}: Props<Row>) {
  return (
    <div
      role="row"
      aria-rowindex={position === undefined ? undefined : position + 2}
      className={classes.row}
      data-selected={isSelected || undefined}
      data-active={isActive || undefined}
      data-card={children !== undefined || undefined}
    >
      {children ?? columns.map((column) => <Cell key={column.id} column={column} row={row} />)}
    </div>
  )
}

function Cell<Row>({ column, row }: { column: Column<Row, string>; row: Row }) {
  return <CellFrame column={column}>{column.cell(row)}</CellFrame>
}

function CellFrame({ column, children }: { column: Column<never, string>; children: ReactNode }) {
  const { id, hiddenBelow, isAtEnd, hasLines, isInteractive } = column
  return (
    <div
      role="cell"
      data-column={id}
      data-below={hiddenBelow}
      data-end={isAtEnd}
      data-lines={hasLines}
      data-interactive={isInteractive}
    >
      {children}
    </div>
  )
}

/** A line of a row on a phone, whose first part is at its start and the last one at its end. */
export const CardLine = ({ children }: { children: ReactNode }) => (
  <div role="cell" className={classes.cardLine}>
    {children}
  </div>
)

type SkeletonProps = { columns: readonly Column<never, string>[]; position?: number }

/** A row that is loading. */
export function SkeletonRow({ columns, position }: SkeletonProps) {
  return (
    <div
      role="row"
      aria-busy
      aria-rowindex={position === undefined ? undefined : position + 2}
      className={classes.row}
    >
      {columns.map((column) => (
        <CellFrame key={column.id} column={column}>
          {!column.isInteractive && !column.isLabelHidden && <Skeleton height={12} width="70%" />}
        </CellFrame>
      ))}
    </div>
  )
}
