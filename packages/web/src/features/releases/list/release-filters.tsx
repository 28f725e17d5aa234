import { Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { releaseStatusText } from '../../../text/releases/release-status.ts'
import { SearchField } from '../../../ui/forms/search-field.tsx'
import { FilterMenu, type FilterOption } from '../../../ui/menu/filter-menu.tsx'
import { PlatformIcon } from '../../../ui/platform-icon.tsx'
import { platformsQuery } from '../../applications/platform.queries.ts'
import { joinValues, valuesOf } from '../../builds/list/build-list.search.ts'
import { labelOptions } from '../../labels/label-options.tsx'
import { labelsQuery } from '../../labels/label.queries.ts'
import classes from './release-list.module.css'
import type { ReleaseListSearch } from './release-list.search.ts'

type Props = {
  applicationId: string
  search: ReleaseListSearch
  onChange: (change: Partial<ReleaseListSearch>) => void
}

/** The search field and a menu for each filter. */
export function ReleaseFilters({ applicationId, search, onChange }: Props) {
  const { data: platforms = [] } = useQuery(platformsQuery(applicationId))
  const { data: labels = [] } = useQuery(labelsQuery(applicationId))
  const filters: { name: 'status' | 'platform' | 'label'; label: string; options: FilterOption[] }[] = [
    {
      name: 'status',
      label: 'Status',
      options: Object.entries(releaseStatusText).map(([value, label]) => ({ value, label })),
    },
    {
      name: 'platform',
      label: 'Platform',
      options: platforms.map((platform) => ({
        value: platform.identifier,
        label: platform.name,
        icon: <PlatformIcon platform={platform} size={16} />,
      })),
    },
    {
      name: 'label',
      label: 'Label',
      options: labelOptions(labels),
    },
  ]
  return (
    <Group gap={8} className={classes.filters}>
      <SearchField
        label="releases"
        placeholder="Version or title…"
        className={classes.search}
        value={search.search ?? ''}
        onChange={(text) => onChange({ search: text || undefined })}
      />
      {filters.map(({ name, label, options }) => (
        <FilterMenu
          key={name}
          label={label}
          options={options}
          values={valuesOf(search[name])}
          onChange={(values) => onChange({ [name]: joinValues(values) })}
        />
      ))}
    </Group>
  )
}
