import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { formatCount, plural } from '../format/bytes.ts'
import { IconTrash } from '../icons/icons.ts'
import { showFailure } from '../toast.tsx'
import type { Column } from './column.ts'
import { DataTable } from './data-table.tsx'
import classes from './selectable-table.module.css'
import toolbar from './table-toolbar.module.css'

export type Selection = { selected: ReadonlySet<string>; toggle: (id: string) => void }

type Props<Row> = {
  label: string
  /** A row in the singular, such as `member`. */
  noun: string
  rows: readonly Row[]
  /** The number of all rows, of which some may not be loaded. */
  total: number
  canSelect: boolean
  /** Returns the columns. Without a selection, rows cannot be selected. */
  columnsOf: (selection: Selection | undefined) => Column<Row>[]
  onRemove: (rows: readonly Row[]) => Promise<void>
}

/** A table whose rows can be selected and removed together. */
export function SelectableTable<Row extends { id: string }>(props: Props<Row>) {
  const { label, noun, rows, total, canSelect, columnsOf, onRemove } = props
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const chosen = rows.filter(({ id }) => selected.has(id))
  const isAll = chosen.length === rows.length
  const toggle = (id: string) => setSelected(selected.symmetricDifference(new Set([id])))
  const [isRemoving, setIsRemoving] = useState(false)
  async function remove(): Promise<void> {
    setIsRemoving(true)
    try {
      await onRemove(chosen)
      setSelected(new Set())
    } finally {
      setIsRemoving(false)
    }
  }
  return (
    <div>
      <div className={classes.head}>
        {canSelect && (
          <Checkbox
            aria-label={`Select all ${label.toLowerCase()} that are shown`}
            checked={isAll}
            indeterminate={chosen.length > 0 && !isAll}
            onChange={() => setSelected(isAll ? new Set() : new Set(rows.map(({ id }) => id)))}
          />
        )}
        <span className={toolbar.count}>
          {chosen.length > 0 ? `${formatCount(chosen.length)} selected` : plural(total, noun)}
        </span>
        {chosen.length > 0 && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconTrash size={15} />}
            loading={isRemoving}
            onClick={() => void remove().catch(showFailure)}
          >
            Remove
          </Button>
        )}
      </div>
      <DataTable
        label={label}
        columns={columnsOf(canSelect ? { selected, toggle } : undefined)}
        rows={rows}
        keyOf={({ id }) => id}
        isSelected={({ id }) => selected.has(id)}
        isHeadHidden
      />
    </div>
  )
}
