import { ActionIcon, Menu } from '@mantine/core'
import { IconAdjustmentsHorizontal, IconCheck, IconTrash } from '@tabler/icons-react'
import { allColumns, type Column } from './build-columns.ts'
import type { BuildListSearch } from './build-list.search.ts'

type Props = {
  columns: readonly Column[]
  onToggle: (column: Column) => void
  search: BuildListSearch
  onChange: (change: Partial<BuildListSearch>) => void
}

const orders = [
  { label: 'Newest first', sort_by: undefined, sort: undefined },
  { label: 'Oldest first', sort_by: 'created_at', sort: 'asc' },
  { label: 'Highest version first', sort_by: 'version', sort: 'desc' },
  { label: 'Largest first', sort_by: 'size_total_bytes', sort: 'desc' },
  { label: 'Built most recently', sort_by: 'built_at', sort: 'desc' },
] as const

const keptStates = [
  { label: 'All builds', kept: undefined },
  { label: 'Only kept builds', kept: true },
  { label: 'Only builds subject to retention', kept: false },
]

/** Chooses the order, the columns, and whether the list shows the trash. */
export function ViewMenu({ columns, onToggle, search, onChange }: Props) {
  const check = (isOn: boolean) => (isOn ? <IconCheck size={14} aria-label="selected" /> : null)
  return (
    <Menu position="bottom-end" width={250} closeOnItemClick={false}>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label="View">
          <IconAdjustmentsHorizontal size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Order</Menu.Label>
        {orders.map(({ label, sort_by, sort }) => (
          <Menu.Item
            key={label}
            onClick={() => onChange({ sort_by, sort })}
            rightSection={check(search.sort_by === sort_by && search.sort === sort)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>Columns</Menu.Label>
        {allColumns.map(({ id, label }) => (
          <Menu.Item key={id} onClick={() => onToggle(id)} rightSection={check(columns.includes(id))}>
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>Show</Menu.Label>
        {keptStates.map(({ label, kept }) => (
          <Menu.Item
            key={label}
            onClick={() => onChange({ kept })}
            rightSection={check(search.kept === kept)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Item
          leftSection={<IconTrash size={15} />}
          onClick={() => onChange({ trashed: search.trashed === true ? undefined : true })}
          rightSection={check(search.trashed === true)}
        >
          Trash
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
