import { Pill, UnstyledButton } from '@mantine/core'
import { lastDays } from '../../../text/builds/periods.ts'
import { viewText } from '../../../text/builds/views.ts'
import { calendarDay } from '../../../ui/format/time.ts'
import { uploadSourceNames } from '../upload-sources.ts'
import classes from './active-filters.module.css'
import { isFiltered, joinValues, valuesOf, type BuildListSearch } from './build-list.search.ts'

type Props = {
  search: BuildListSearch
  onChange: (change: Partial<BuildListSearch>) => void
  /** Saves the filters as a view. */
  onSave?: () => void
}

const named = [
  { name: 'platforms', label: 'Platform' },
  { name: 'streams', label: 'Stream' },
  { name: 'labels', label: 'Label' },
  { name: 'sources', label: 'Source' },
  { name: 'branches', label: 'Branch' },
  { name: 'custom_targets', label: 'Target' },
  { name: 'architectures', label: 'Architecture' },
] as const

/** The change that removes every filter. The order of the list and the trash stay. */
export const noFilters: Partial<BuildListSearch> = {
  search: undefined,
  ...Object.fromEntries(named.map(({ name }) => [name, undefined])),
  created_after: undefined,
  created_before: undefined,
  created_within_days: undefined,
  kept: undefined,
}

/** Shows each filter that is on, with a button that removes it. */
export function ActiveFilters({ search, onChange, onSave }: Props) {
  if (!isFiltered(search)) return null
  const chips = named.flatMap(({ name, label }) => {
    const values = valuesOf(search[name])
    return values.map((value) => ({
      key: `${name} ${value}`,
      text: `${label}: ${name === 'sources' ? (uploadSourceNames[value] ?? value) : value}`,
      remove: () => onChange({ [name]: joinValues(values.filter((each) => each !== value)) }),
    }))
  })
  if (search.created_within_days !== undefined)
    chips.push({
      key: 'within',
      text: lastDays(search.created_within_days),
      remove: () => onChange({ created_within_days: undefined }),
    })
  if (search.created_after !== undefined)
    chips.push({
      key: 'after',
      text: `Since ${calendarDay(search.created_after)}`,
      remove: () => onChange({ created_after: undefined }),
    })
  if (search.created_before !== undefined)
    chips.push({
      key: 'before',
      text: `Before ${calendarDay(search.created_before)}`,
      remove: () => onChange({ created_before: undefined }),
    })
  if (search.kept !== undefined)
    chips.push({
      key: 'kept',
      text: search.kept ? 'Kept' : 'Not kept',
      remove: () => onChange({ kept: undefined }),
    })
  return (
    <div className={classes.chips}>
      {chips.map(({ key, text, remove }) => (
        <Pill
          key={key}
          withRemoveButton
          onRemove={remove}
          removeButtonProps={{ 'aria-label': `Remove ${text}` }}
        >
          {text}
        </Pill>
      ))}
      <UnstyledButton className={classes.clear} onClick={() => onChange(noFilters)}>
        Clear
      </UnstyledButton>
      {onSave && (
        <UnstyledButton className={classes.clear} onClick={onSave}>
          {viewText.saveFirst}
        </UnstyledButton>
      )}
    </div>
  )
}
