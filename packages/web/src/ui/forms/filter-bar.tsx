import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './filter-bar.module.css'

type Props = {
  /** Whether the number of fields and buttons is odd. On phones, the first one then fills a row of its own. */
  isOdd: boolean
  children: ReactNode
}

/** The filters of a list: in a row, or in two columns on phones. */
export const FilterBar = ({ isOdd, children }: Props) => (
  <div className={classes.filters} data-odd={isOdd || undefined} role="group" aria-label="Filters">
    {children}
  </div>
)

type DatesProps = {
  /** Days such as `2026-11-22`. */
  from: string | undefined
  to: string | undefined
  onFrom: (day: string | undefined) => void
  onTo: (day: string | undefined) => void
}

/** The first and the last day of what a list shows. */
export const DateFilters = ({ from, to, onFrom, onTo }: DatesProps) => (
  <div className={classes.dates}>
    <TextInput
      size="xs"
      type="date"
      aria-label="From"
      leftSection="From"
      leftSectionWidth={46}
      value={from ?? ''}
      onChange={(event) => onFrom(event.currentTarget.value || undefined)}
    />
    <TextInput
      size="xs"
      type="date"
      aria-label="To"
      leftSection="To"
      leftSectionWidth={30}
      value={to ?? ''}
      onChange={(event) => onTo(event.currentTarget.value || undefined)}
    />
  </div>
)
