export const adoptionRanges = [7, 30, 90] as const
export const defaultRange = 30

export type ChannelSearch = { days?: (typeof adoptionRanges)[number] | undefined }

/** Reads the period of the adoption from the URL. */
export const channelSearch = (search: Record<string, unknown>): ChannelSearch => ({
  days: adoptionRanges.find((days) => days === Number(search['days'])),
})
