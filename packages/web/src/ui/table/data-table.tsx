import type { ReactNode } from 'react'
import { useRowFocus } from '../focus/use-row-focus.ts'
import { useIsNarrow } from '../use-is-narrow.ts'
import type { Column, Order } from './column.ts'
import { TableFrame } from './table-frame.tsx'
import { SkeletonRow, TableRow } from './table-row.tsx'

type Props<Row, SortKey extends string> = {
  /** What the rows are, for screen readers, such as "Releases". */
  label: string
  columns: readonly Column<Row, SortKey>[]
  /** Undefined while they are loading. */
  rows: readonly Row[] | undefined
  keyOf: (row: Row) => string
  order?: Order<SortKey>
  onSort?: (order: Order<SortKey>) => void
  /** Whether the rows belong to a previous filter. */
  isStale?: boolean
  isSelected?: (row: Row) => boolean
  /** Whether the details of a row are open. */
  isActive?: (row: Row) => boolean
  /** How a row looks on a phone, where its cells are otherwise below each other. */
  card?: (row: Row) => ReactNode
  /** Whether the labels of the columns are only for screen readers. */
  isHeadHidden?: boolean
  /** Whether the columns stay beside each other on a phone. */
  isCompact?: boolean
}

const loadingRows = 8

/** Lists rows with the same facts in columns. The keys j and k move between their links. */
export function DataTable<Row, SortKey extends string = never>(props: Props<Row, SortKey>) {
  const { columns, rows, keyOf, isSelected, isActive, card, ...frame } = props
  const isPhone = useIsNarrow('48em')
  const ref = useRowFocus<HTMLDivElement>()
  return (
    <TableFrame columns={columns} bodyRef={ref} {...frame}>
      {rows === undefined
        ? Array.from({ length: loadingRows }, (_, index) => <SkeletonRow key={index} columns={columns} />)
        : rows.map((row) => (
            <TableRow
              key={keyOf(row)}
              columns={columns}
              row={row}
              isSelected={isSelected?.(row)}
              isActive={isActive?.(row)}
            >
              {isPhone ? card?.(row) : undefined}
            </TableRow>
          ))}
    </TableFrame>
  )
}
