import { Type, type Static } from 'typebox'
import { applicationRef, requireApplicationOfPath, type ApplicationRef } from '../../access/application.db.ts'
import { findPlatform } from '../../catalog/platforms.ts'
import type { Db } from '../../database/transaction.ts'
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
import { findLabelIds } from '../labels/label.db.ts'
import { unknownLabel } from '../labels/label.ts'
import { listReleasesPage, type ReleaseFilter } from './release-list.db.ts'
import { isReleaseStatus, Release, releaseResource, releaseStatuses } from './release.ts'

const perPage = 15

const Query = Type.Object({
  ...sortQuery(['version', 'version_short', 'title', 'created_at'], 'created_at'),
  ...pageQuery(perPage),
  search: searchQuery('title, ID and version', 50),
  labels: Type.Optional(CommaSeparated('IDs or names of application or workspace labels')),
  platforms: Type.Optional(CommaSeparated('Platform slugs of builds in the release')),
  statuses: Type.Optional(CommaSeparated(`Statuses of the release (${releaseStatuses.join(', ')})`)),
})

export const listReleases = endpoint({
  method: 'GET',
  path: '/applications/:application_id/releases',
  scope: { workspace: 'releases:read', application: 'releases:read' },
  summary: 'List releases',
  description: 'Includes releases that are not published, unless `statuses` excludes them.',
  params: Type.Object({ application_id: ApplicationId }),
  query: Query,
  returns: pageOf(Release),
  load: requireApplicationOfPath,
  async handle({ db, application, query }) {
    const owner = applicationRef(application)
    const filter = await readFilter(db, owner, query)
    const page = pageFrom(query, perPage)
    const order = { sortBy: query.sort_by ?? 'created_at', direction: query.sort ?? 'asc' } as const
    const { rows, total } = await listReleasesPage(db, application.id, filter, order, page)
    return {
      message: 'Releases retrieved.',
      data: rows.map(releaseResource),
      pagination: pagination(page, total, rows.length),
    }
  },
})

/** Parses the filters and resolves labels to IDs. Throws 422 with an error for each unknown value. */
async function readFilter(
  db: Db,
  owner: ApplicationRef,
  query: Static<typeof Query>,
): Promise<ReleaseFilter> {
  const errors: Record<string, string[]> = {}
  const platforms = splitCommas(query.platforms)
  const unknown = platforms?.filter((slug) => findPlatform(slug) === undefined) ?? []
  if (unknown.length > 0) errors['platforms'] = unknown.map((slug) => `"${slug}" is not a platform.`)
  const statuses = splitCommas(query.statuses)
  const unknownStatuses = statuses?.filter((status) => !isReleaseStatus(status)) ?? []
  if (unknownStatuses.length > 0)
    errors['statuses'] = unknownStatuses.map(
      (status) => `"${status}" is not a status. The statuses are ${releaseStatuses.join(', ')}.`,
    )
  const labels = readNameList(query.labels)
  const found = labels && (await findLabelIds(db, owner, labels))
  if (found !== undefined && found.unknown.length > 0) errors['labels'] = found.unknown.map(unknownLabel)
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return { search: query.search, labelIds: found?.ids, platforms, statuses }
}
