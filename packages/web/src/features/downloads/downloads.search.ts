import type { ListedDownload } from '@quayside/sdk'
import { optionalOneOf, startOfDay, texts } from '../../api/search-params.ts'

/** The groupings of downloads, in the order of the menu. */
export const groupings = [
  'person',
  'version',
  'build',
  'platform',
  'channel',
  'share_link',
  'distribution_group',
  'portal',
] as const

const filterNames = [
  'channel',
  'platform',
  'version',
  'email',
  'build_id',
  'release_id',
  'share_link_id',
  'distribution_group_id',
  'portal_id',
  'api_key_id',
  'user_id',
  'from',
  'to',
] as const

/** Filters that only links set. */
export const linkedFilters = {
  build_id: 'build',
  release_id: 'release',
  share_link_id: 'share link',
  distribution_group_id: 'group',
  portal_id: 'portal',
  api_key_id: 'API key',
  user_id: 'member',
} as const

const channels = Object.keys({
  api: true,
  console: true,
  'share-link': true,
  'distribution-group': true,
  portal: true,
  feed: true,
} satisfies Record<ListedDownload['channel'], true>) as ListedDownload['channel'][]
const filters = texts(...filterNames)

export type DownloadsSearch = ReturnType<typeof filters> & { by?: (typeof groupings)[number] | undefined }

/** Reads the filters and the grouping of downloads from the URL. */
export const downloadsSearch = (search: Record<string, unknown>): DownloadsSearch => ({
  ...filters(search),
  by: optionalOneOf(search['by'], groupings),
})

export const isFiltered = (search: DownloadsSearch): boolean =>
  filterNames.some((name) => search[name] !== undefined)

export type DownloadFilter = ReturnType<typeof downloadFilter>

/** Returns the filters as the API names them. A date is a day in the time zone of the browser. */
export function downloadFilter({ from, to, channel, by: _, ...same }: DownloadsSearch) {
  const given = Object.entries({
    ...same,
    created_after: startOfDay(from),
    created_before: startOfDay(to, 1),
  })
  const known = optionalOneOf(channel, channels)
  return {
    ...(Object.fromEntries(given.filter(([, value]) => value !== undefined)) as Partial<
      Record<keyof typeof same | 'created_after' | 'created_before', string>
    >),
    ...(known === undefined ? {} : { channel: known }),
  }
}
