import { Type, type Static } from 'typebox'
import { findArchitecture } from '../../catalog/architectures.ts'
import { findPlatform } from '../../catalog/platforms.ts'
import { isUploadSource } from '../../catalog/upload-sources.ts'
import { createdBetween, readCreatedBetween } from '../../http/endpoint/created-between.ts'
import { CommaSeparated, readNameList, splitCommas } from '../../http/endpoint/fields.ts'
import { searchQuery, sortQuery } from '../../http/endpoint/pagination.ts'
import type { FieldErrors } from '../../http/endpoint/validation.ts'
import type { BuildFilter } from './build-filter.db.ts'
import type { requireApplicationWithReferences } from './build-list.db.ts'
import { processingStates } from './inspection/build-inspection.db.ts'

export const buildOrder = sortQuery(
  ['version', 'version_short', 'size_total_bytes', 'built_at', 'created_at'],
  'created_at',
)

/** The filters that a saved view can have. */
export const buildFilters = {
  platforms: Type.Optional(CommaSeparated('Platform slugs')),
  streams: Type.Optional(CommaSeparated('IDs or names of streams')),
  labels: Type.Optional(CommaSeparated('IDs or names of application or workspace labels')),
  custom_targets: Type.Optional(CommaSeparated('IDs or names of application or workspace custom targets')),
  architectures: Type.Optional(CommaSeparated('Architecture identifiers')),
  sources: Type.Optional(CommaSeparated('Upload sources')),
  branches: Type.Optional(CommaSeparated('Branch names')),
  search: searchQuery('ID, version, build number, notes, branch, commit, labels and file names'),
  kept: Type.Optional(
    Type.Boolean({
      description:
        '`true` lists only builds that are exempt from retention because of `keep_forever`, a release or a usable share link. `false` lists only builds that are not exempt.',
    }),
  ),
  ...createdBetween,
  created_within_days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 3650,
      description:
        'Lists only builds of the last days, counted back from the request. Saved views keep the number of days.',
    }),
  ),
}

export const BuildListFilter = Type.Object({
  ...buildFilters,
  processing: Type.Optional(CommaSeparated(`States of reading metadata (${processingStates.join(', ')})`)),
  trashed: Type.Optional(
    Type.Boolean({
      description:
        'Lists the builds in the trash instead, with `deleted_at`, `deleted_by` and `purge_at`. They can be restored.',
    }),
  ),
})

const dayMs = 24 * 60 * 60 * 1000

type Query = Static<typeof BuildListFilter>
type References = Awaited<ReturnType<typeof requireApplicationWithReferences>>['references']

/** Returns the IDs and names in the filters. */
export const namesIn = (query: {
  [Name in 'streams' | 'labels' | 'custom_targets']?: string | undefined
}) => ({
  streams: readNameList(query.streams),
  labels: readNameList(query.labels),
  customTargets: readNameList(query.custom_targets),
})

/** Parses the filters, and lists an error for each unknown value. */
export function readFilter({ streams, labels, customTargets }: References, query: Query) {
  const errors: FieldErrors = {}
  const reject = (field: string, unknown: string[] = [], kind: string) => {
    if (unknown.length > 0) errors[field] = unknown.map((value) => `"${value}" is not ${kind}.`)
  }
  const platforms = splitCommas(query.platforms)
  const architectures = splitCommas(query.architectures)
  const sources = splitCommas(query.sources)
  const processing = splitCommas(query.processing)
  const ignoresTargets = customTargets !== undefined && !customTargets.areEnabled
  const isUnknown = (find: (slug: string) => unknown) => (slug: string) => find(slug) === undefined
  reject('platforms', platforms?.filter(isUnknown(findPlatform)), 'a platform')
  reject('architectures', architectures?.filter(isUnknown(findArchitecture)), 'an architecture')
  reject(
    'sources',
    sources?.filter((slug) => !isUploadSource(slug)),
    'an upload source',
  )
  const isState = (text: string) => processingStates.some((state) => state === text)
  reject(
    'processing',
    processing?.filter((text) => !isState(text)),
    'a state of reading metadata',
  )
  reject('streams', streams?.unknown, 'a stream of this application')
  reject('labels', labels?.unknown, 'a label of this application')
  if (!ignoresTargets) reject('custom_targets', customTargets?.unknown, 'a custom target of this application')
  const createdRange = readCreatedBetween(query, errors)
  const filter: BuildFilter = {
    platforms,
    streamIds: streams?.ids,
    labelIds: labels?.ids,
    customTargetIds: ignoresTargets ? undefined : customTargets?.ids,
    architectures,
    sources,
    branches: splitCommas(query.branches),
    processing,
    search: query.search,
    kept: query.kept,
    trashed: query.trashed === true ? true : undefined,
    ...createdRange,
    createdAfter: laterOf(createdRange.createdAfter, startOfDays(query.created_within_days)),
  }
  const note = ignoresTargets
    ? ' Custom targets are disabled in this workspace, so the `custom_targets` filter was ignored.'
    : ''
  return { filter, note, errors }
}

const startOfDays = (days: number | undefined): string | undefined =>
  days === undefined ? undefined : new Date(Date.now() - days * dayMs).toISOString()

const laterOf = (one: string | undefined, other: string | undefined): string | undefined =>
  one === undefined || (other !== undefined && Date.parse(other) > Date.parse(one)) ? other : one
