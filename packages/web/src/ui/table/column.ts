import type { ReactNode } from 'react'

/** A column of a table. `Row` is what a row shows, `SortKey` a key by which the API sorts. */
export type Column<Row, SortKey extends string = never> = {
  id: string
  label: string
  /** Takes the place of the label, such as a checkbox that selects every row. */
  head?: ReactNode
  isLabelHidden?: true
  /** The track of the grid, such as `minmax(0, 2fr)`. */
  width: string
  cell: (row: Row) => ReactNode
  sortBy?: SortKey
  /** The width of the window below which there is no room for the column. */
  hiddenBelow?: 'widest' | 'wide' | 'medium' | 'narrow'
  isAtEnd?: true
  /** Whether the cell has several lines. Others end with an ellipsis. */
  hasLines?: true
  /** Whether the cell lies above the link that covers the row. */
  isInteractive?: true
}

export type Order<SortKey extends string> = { sort_by: SortKey; sort: 'asc' | 'desc' }

/** Returns the tracks of a row. The style sheet sets the variable of a width below which columns are left out. */
export const tracksOf = (columns: readonly Pick<Column<unknown>, 'width' | 'hiddenBelow'>[]): string =>
  columns
    .map(({ width, hiddenBelow }) =>
      hiddenBelow === undefined ? width : `var(--below-${hiddenBelow}, ${width})`,
    )
    .join(' ')
