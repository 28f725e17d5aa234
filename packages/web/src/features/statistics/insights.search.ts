export const insightsRanges = [7, 30, 90, 365] as const
export const defaultRange = 30

export type InsightsSearch = { days?: (typeof insightsRanges)[number] | undefined }

/** Reads the period of the charts from the URL. */
export const insightsSearch = (search: Record<string, unknown>): InsightsSearch => ({
  days: insightsRanges.find((days) => days === Number(search['days'])),
})
