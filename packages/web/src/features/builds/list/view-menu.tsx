import { ActionIcon, Menu } from '@mantine/core'
import { buildText } from '../../../text/builds/build.ts'
import { IconAdjustmentsHorizontal, IconCheck } from '../../../ui/icons/icons.ts'
import { useIsNarrow } from '../../../ui/use-is-narrow.ts'
import { optionalColumns, type OptionalColumn } from './build-columns.tsx'
import { groupingOf, type BuildListSearch, type Grouping } from './build-list.search.ts'

type Props = {
  hidden: readonly OptionalColumn[]
  onToggle: (column: OptionalColumn) => void
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

const groupings: (Grouping | undefined)[] = ['version', 'run', 'branch', undefined]

const keptStates = [
  { label: 'All builds', kept: undefined },
  { label: 'Only kept builds', kept: true },
  { label: 'Only builds subject to retention', kept: false },
]

/** Chooses the order, the grouping, the columns, and whether the list shows only kept builds. */
export function ViewMenu({ hidden, onToggle, search, onChange }: Props) {
  const hasColumns = !useIsNarrow('48em')
  const check = (isOn: boolean) => (isOn ? <IconCheck size={14} aria-label="selected" /> : null)
  return (
    <Menu position="bottom-end" width={250} closeOnItemClick={false}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label="View">
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
        <Menu.Label>Group by</Menu.Label>
        {groupings.map((grouping) => (
          <Menu.Item
            key={grouping ?? 'none'}
            onClick={() => onChange({ group_by: grouping ?? 'none' })}
            rightSection={check(groupingOf(search) === grouping)}
          >
            {buildText.group.by[grouping ?? 'none']}
          </Menu.Item>
        ))}
        {hasColumns && (
          <>
            <Menu.Divider />
            <Menu.Label>Columns</Menu.Label>
            {optionalColumns.map(({ id, label }) => (
              <Menu.Item key={id} onClick={() => onToggle(id)} rightSection={check(!hidden.includes(id))}>
                {label}
              </Menu.Item>
            ))}
          </>
        )}
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
      </Menu.Dropdown>
    </Menu>
  )
}
