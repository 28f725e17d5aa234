import { texts } from '../../api/search-params.ts'

export const insightsRanges = [7, 30, 90, 365] as const
export const defaultRange = 30
export const insightsGroups = ['day', 'week'] as const
export const savingDays = [7, 14, 30, 60, 90, 180] as const

const insightsTexts = texts('tables', 'channel')

export type InsightsSearch = ReturnType<typeof insightsTexts> & {
  days?: (typeof insightsRanges)[number] | undefined
  group?: (typeof insightsGroups)[number] | undefined
  /** The retention in days whose savings are shown. */
  keep?: (typeof savingDays)[number] | undefined
}

/** Reads the period, the grouping, the charts that are shown as tables, and the channel of the versions from the URL. */
export const insightsSearch = (search: Record<string, unknown>): InsightsSearch => ({
  ...insightsTexts(search),
  days: insightsRanges.find((days) => days === Number(search['days'])),
  group: insightsGroups.find((group) => group === search['group']),
  keep: savingDays.find((days) => days === Number(search['keep'])),
})
