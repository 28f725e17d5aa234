import { Type, type Static } from 'typebox'
import { findArchitecture } from '../../catalog/architectures.ts'
import { findPlatform } from '../../catalog/platforms.ts'
import { isUploadSource } from '../../catalog/upload-sources.ts'
import { trashState } from '../../events/trash-state.ts'
import { createdBetween, readCreatedBetween } from '../../http/endpoint/created-between.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId, CommaSeparated, readNameList, splitCommas } from '../../http/endpoint/fields.ts'
import {
  pageFrom,
  pageOf,
  pageQuery,
  pagination,
  searchQuery,
  sortQuery,
} from '../../http/endpoint/pagination.ts'
import { invalid } from '../../http/endpoint/validation.ts'
import type { BuildFilter } from './build-filter.db.ts'
import { groupings, maxMembers } from './build-groups.db.ts'
import { listBuildsPage, requireApplicationWithReferences, type ListedRow } from './build-list.db.ts'
import { buildResource, ListedBuild } from './build.ts'
import { processingStates } from './inspection/build-inspection.db.ts'

const perPage = 15

type References = Awaited<ReturnType<typeof requireApplicationWithReferences>>['references']

const Query = Type.Object({
  ...sortQuery(['version', 'version_short', 'size_total_bytes', 'built_at', 'created_at'], 'created_at'),
  ...pageQuery(perPage),
  platforms: Type.Optional(CommaSeparated('Platform slugs')),
  streams: Type.Optional(CommaSeparated('IDs or names of streams')),
  labels: Type.Optional(CommaSeparated('IDs or names of application or workspace labels')),
  custom_targets: Type.Optional(CommaSeparated('IDs or names of application or workspace custom targets')),
  architectures: Type.Optional(CommaSeparated('Architecture identifiers')),
  sources: Type.Optional(CommaSeparated('Upload sources')),
  branches: Type.Optional(CommaSeparated('Branch names')),
  processing: Type.Optional(CommaSeparated(`States of reading metadata (${processingStates.join(', ')})`)),
  search: searchQuery('ID, version, build number, notes, branch, commit, labels and file names'),
  kept: Type.Optional(
    Type.Boolean({
      description:
        '`true` lists only builds that are exempt from retention because of `keep_forever`, a release or a usable share link. `false` lists only builds that are not exempt.',
    }),
  ),
  trashed: Type.Optional(
    Type.Boolean({
      description:
        'Lists the builds in the trash instead, with `deleted_at`, `deleted_by` and `purge_at`. They can be restored.',
    }),
  ),
  ...createdBetween,
  group_by: Type.Optional(
    Type.Enum([...groupings], {
      description:
        'Lists each group of builds once, as its newest build with the others in `group`: builds of one `version`, commit and run, usually for several platforms, of one `run`, or of one `branch`. Filters apply to all builds of a group, and builds without a commit, run or branch are no part of a group. `total` is the number of groups.',
    }),
  ),
})

const GroupedBuild = Type.Object(
  {
    ...ListedBuild.properties,
    group: Type.Optional(
      Type.Object(
        {
          size: Type.Integer({ description: 'Number of builds in the group, including this one.' }),
          builds: Type.Array(ListedBuild, {
            description: `The other builds of the group, newest first, at most ${maxMembers}.`,
          }),
        },
        { title: 'BuildGroup', description: 'Only with `group_by`.' },
      ),
    ),
  },
  { title: 'GroupedBuild' },
)

export const listBuilds = endpoint({
  method: 'GET',
  path: '/applications/:application_id/builds',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'List builds',
  description:
    'To follow new builds, use `GET /applications/{application_id}/changes`: a list filtered by `created_after` can miss builds that are created concurrently.',
  params: Type.Object({ application_id: ApplicationId }),
  query: Query,
  returns: pageOf(GroupedBuild),
  async load({ db, actor, params, query }) {
    return requireApplicationWithReferences(db, actor, params.application_id, {
      streams: readNameList(query.streams),
      labels: readNameList(query.labels),
      customTargets: readNameList(query.custom_targets),
    })
  },
  async handle({ db, application, references, query, config }) {
    const { filter, note } = readFilter(references, query)
    const page = pageFrom(query, perPage)
    const order = { sortBy: query.sort_by ?? 'created_at', direction: query.sort ?? 'asc' } as const
    const listing = { filter, order, page, grouping: query.group_by }
    const { rows, total } = await listBuildsPage(db, application.id, listing)
    const listed = (row: ListedRow['row']) => ({
      ...buildResource(row, config),
      ...trashState(row, config.trashDays),
    })
    return {
      message: `Builds retrieved.${note}`,
      data: rows.map(({ row, group }) => ({
        ...listed(row),
        ...(group && { group: { size: group.size, builds: group.others.map(listed) } }),
      })),
      pagination: pagination(page, total, rows.length),
    }
  },
})

/** Parses the filters. Throws 422 with an error for each unknown value. */
function readFilter({ streams, labels, customTargets }: References, query: Static<typeof Query>) {
  const errors: Record<string, string[]> = {}
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
  if (Object.keys(errors).length > 0) throw invalid(errors)
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
  }
  const note = ignoresTargets
    ? ' Custom targets are disabled in this workspace, so the `custom_targets` filter was ignored.'
    : ''
  return { filter, note }
}
