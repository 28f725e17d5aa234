import { optionalOneOf, texts } from '../../api/search-params.ts'

const sortKeys = [
  'created_at',
  'version',
  'version_short',
  'build_number',
  'platform',
  'stream',
  'size',
  'built_at',
] as const

const filters = texts(
  'search',
  'platforms',
  'streams',
  'labels',
  'custom_targets',
  'sources',
  'branches',
  'architectures',
  'created_after',
  'created_before',
)

export type BuildListSearch = ReturnType<typeof filters> & {
  trashed?: true | undefined
  kept?: boolean | undefined
  sort_by?: (typeof sortKeys)[number] | undefined
  sort?: 'asc' | 'desc' | undefined
}

/**
 * Returns the state of the builds list: the filters and the order as the API names them. Several values of a filter are
 * separated by commas.
 */
export const buildListSearch = (search: Record<string, unknown>): BuildListSearch => ({
  ...filters(search),
  trashed: search['trashed'] === true || search['trashed'] === 'true' ? true : undefined,
  kept: search['kept'] === true || search['kept'] === false ? search['kept'] : undefined,
  sort_by: optionalOneOf(search['sort_by'], sortKeys),
  sort: optionalOneOf(search['sort'], ['asc', 'desc']),
})
