import { Button, Group, Menu } from '@mantine/core'
import type { ListedBuild } from '@quayside/sdk'
import { useQuery } from '@tanstack/react-query'
import { lastDays } from '../../../text/builds/periods.ts'
import { SearchField } from '../../../ui/forms/search-field.tsx'
import { IconCalendar } from '../../../ui/icons/icons.ts'
import { FilterMenu, type FilterOption } from '../../../ui/menu/filter-menu.tsx'
import { PlatformIcon } from '../../../ui/platform-icon.tsx'
import { platformsQuery } from '../../applications/platform.queries.ts'
import { customTargetsQuery } from '../../custom-targets/custom-target.queries.ts'
import { labelOptions } from '../../labels/label-options.tsx'
import { labelsQuery } from '../../labels/label.queries.ts'
import { streamsQuery } from '../../streams/stream.queries.ts'
import { uploadSourceNames } from '../upload-sources.ts'
import classes from './build-filters.module.css'
import { joinValues, valuesOf, type BuildListSearch } from './build-list.search.ts'

type Props = {
  applicationId: string
  search: BuildListSearch
  onChange: (change: Partial<BuildListSearch>) => void
  /** Builds whose branches and sources are suggested. */
  loaded: readonly ListedBuild[]
}

const periods = [1, 7, 30, 90]

const anyTime: Partial<BuildListSearch> = {
  created_after: undefined,
  created_before: undefined,
  created_within_days: undefined,
}

/** The search field and a menu for each filter. */
export function BuildFilters({ applicationId, search, onChange, loaded }: Props) {
  const options = useFilterOptions(applicationId, loaded)
  return (
    <Group gap={8} className={classes.filters}>
      <SearchField
        label="builds"
        placeholder="Version, branch, commit, file…"
        className={classes.search}
        maxLength={100}
        value={search.search ?? ''}
        onChange={(text) => onChange({ search: text || undefined })}
      />
      {options.map(({ name, label, values, allowsOther }) => (
        <FilterMenu
          key={name}
          label={label}
          options={values}
          values={valuesOf(search[name])}
          onChange={(next) => onChange({ [name]: joinValues(next) })}
          allowsOther={allowsOther}
        />
      ))}
      <Menu position="bottom-start">
        <Menu.Target>
          <Button variant="default" size="xs" fw={500} leftSection={<IconCalendar size={14} />}>
            Date
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {periods.map((days) => (
            <Menu.Item key={days} onClick={() => onChange({ ...anyTime, created_within_days: days })}>
              {lastDays(days)}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item onClick={() => onChange(anyTime)}>Any time</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}

type FilterName = 'platforms' | 'streams' | 'labels' | 'sources' | 'branches' | 'custom_targets'

function useFilterOptions(applicationId: string, loaded: readonly ListedBuild[]) {
  const { data: platforms = [] } = useQuery(platformsQuery(applicationId))
  const { data: streams = [] } = useQuery(streamsQuery(applicationId))
  const { data: labels = [] } = useQuery(labelsQuery(applicationId))
  const { data: targets = [] } = useQuery(customTargetsQuery(applicationId))
  const branches = distinct(loaded.map(({ scm }) => scm.scm_branch))
  const filters: { name: FilterName; label: string; values: FilterOption[]; allowsOther: boolean }[] = [
    {
      name: 'platforms',
      label: 'Platform',
      values: platforms.map((platform) => ({
        value: platform.identifier,
        label: platform.name,
        icon: <PlatformIcon platform={platform} size={16} />,
      })),
      allowsOther: false,
    },
    {
      name: 'streams',
      label: 'Stream',
      values: streams.map(({ name }) => ({ value: name, label: name })),
      allowsOther: false,
    },
    {
      name: 'labels',
      label: 'Label',
      values: labelOptions(labels),
      allowsOther: false,
    },
    {
      name: 'sources',
      label: 'Source',
      values: Object.entries(uploadSourceNames).map(([value, label]) => ({ value, label })),
      allowsOther: false,
    },
    {
      name: 'branches',
      label: 'Branch',
      values: branches.map((branch) => ({ value: branch, label: branch })),
      allowsOther: true,
    },
    {
      name: 'custom_targets',
      label: 'Target',
      values: targets.map(({ name }) => ({ value: name, label: name })),
      allowsOther: false,
    },
  ]
  return filters.filter(({ name }) => name !== 'custom_targets' || targets.length > 0)
}

const distinct = (values: readonly (string | null)[]): string[] =>
  [...new Set(values)].filter((value) => value !== null).toSorted((a, b) => a.localeCompare(b))
