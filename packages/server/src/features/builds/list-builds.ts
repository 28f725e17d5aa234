import { Type, type Static } from 'typebox'
import { findPlatform } from '../../catalog/platforms.ts'
import { isUploadSource } from '../../catalog/upload-sources.ts'
import type { Db } from '../../database/transaction.ts'
import { createdBetween, readCreatedBetween } from '../../http/created-between.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId, CommaSeparated, splitCommas } from '../../http/fields.ts'
import { pageFrom, pageOf, pageQuery, pagination, searchQuery, sortQuery } from '../../http/pagination.ts'
import { invalid } from '../../http/validation.ts'
import { requireApplicationOfPath } from '../applications/application.db.ts'
import type { BuildFilter } from './build-conditions.db.ts'
import { findNamedInFilter } from './build-filter.db.ts'
import { listBuildsPage } from './build-list.db.ts'
import { Build, buildResource } from './build.ts'

const perPage = 15

const Query = Type.Object({
  ...sortQuery(['version', 'version_short', 'size_total_bytes', 'built_at', 'created_at'], 'created_at'),
  ...pageQuery(perPage),
  platforms: Type.Optional(CommaSeparated('Platform slugs')),
  streams: Type.Optional(CommaSeparated('Ids or names of streams')),
  labels: Type.Optional(CommaSeparated('Ids or names of labels of either level')),
  custom_targets: Type.Optional(CommaSeparated('Ids or names of custom targets of either level')),
  sources: Type.Optional(CommaSeparated('Upload sources')),
  branches: Type.Optional(CommaSeparated('Branches')),
  search: searchQuery('version, build number, notes, branch, commit, names of the files'),
  ...createdBetween,
})

export const listBuilds = endpoint({
  method: 'GET',
  path: '/applications/:application_id/builds',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'List the builds of an application',
  params: Type.Object({ application_id: ApplicationId }),
  query: Query,
  returns: pageOf(Build),
  visible: requireApplicationOfPath,
  async handle({ db, application, query, config }) {
    const owner = { applicationId: application.id, workspaceId: application.workspace_id }
    const { filter, note } = await readFilter(db, owner, query)
    const page = pageFrom(query, perPage)
    const order = { sortBy: query.sort_by ?? 'created_at', direction: query.sort ?? 'asc' } as const
    const { rows, total } = await listBuildsPage(db, application.id, filter, order, page)
    return {
      message: `Builds retrieved.${note}`,
      data: rows.map((row) => buildResource(row, config)),
      pagination: pagination(page, total, rows.length),
    }
  },
})

type Owner = { applicationId: string; workspaceId: string }

/** Turns names into ids; whatever names nothing here is a 422 that quotes it. */
async function readFilter(db: Db, owner: Owner, query: Static<typeof Query>) {
  const errors: Record<string, string[]> = {}
  const refuse = (field: string, unknown: string[], what: string) => {
    if (unknown.length > 0) errors[field] = unknown.map((value) => `"${value}" is not ${what}.`)
  }
  const platforms = splitCommas(query.platforms)
  refuse('platforms', platforms?.filter((slug) => findPlatform(slug) === undefined) ?? [], 'a platform')
  const sources = splitCommas(query.sources)
  refuse('sources', sources?.filter((slug) => !isUploadSource(slug)) ?? [], 'an upload source')
  const given = {
    streams: splitCommas(query.streams),
    labels: splitCommas(query.labels),
    customTargets: splitCommas(query.custom_targets),
  }
  const named = await findNamedInFilter(db, owner, given)
  const ignoresTargets = given.customTargets !== undefined && named?.customTargets.enabled === false
  refuse('streams', named?.streams.unknown ?? [], 'a stream of this application')
  refuse('labels', named?.labels.unknown ?? [], 'a label of this application')
  if (!ignoresTargets)
    refuse('custom_targets', named?.customTargets.unknown ?? [], 'a custom target of this application')
  const span = readCreatedBetween(query, errors)
  if (Object.keys(errors).length > 0) throw invalid(errors)
  const filter: BuildFilter = {
    platforms,
    streamIds: given.streams && named?.streams.ids,
    labelIds: given.labels && named?.labels.ids,
    customTargetIds: ignoresTargets ? undefined : given.customTargets && named?.customTargets.ids,
    sources,
    branches: splitCommas(query.branches),
    search: query.search,
    ...span,
  }
  const note = ignoresTargets ? ' Custom targets are off in this workspace: that filter was ignored.' : ''
  return { filter, note }
}
