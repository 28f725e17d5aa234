import { Type, type Static } from 'typebox'
import { findPlatform } from '../../catalog/platforms.ts'
import type { Db } from '../../database/transaction.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId, CommaSeparated, splitCommas } from '../../http/fields.ts'
import { pageFrom, pageOf, pageQuery, pagination, searchQuery, sortQuery } from '../../http/pagination.ts'
import { invalid } from '../../http/validation.ts'
import { requireApplicationOfPath } from '../applications/application.db.ts'
import { findLabelIds } from '../labels/label.db.ts'
import { listReleasesPage, type ReleaseFilter } from './release-list.db.ts'
import { Release, releaseResource } from './release.ts'

const perPage = 15

const Query = Type.Object({
  ...sortQuery(['version', 'version_short', 'title', 'created_at'], 'created_at'),
  ...pageQuery(perPage),
  search: searchQuery('title, id, version'),
  labels: Type.Optional(CommaSeparated('Ids or names of labels of either level')),
  platforms: Type.Optional(CommaSeparated('Platform slugs of builds of the release')),
})

export const listReleases = endpoint({
  method: 'GET',
  path: '/applications/:application_id/releases',
  scope: { workspace: 'releases:read', application: 'releases:read' },
  summary: 'List the releases of an application',
  params: Type.Object({ application_id: ApplicationId }),
  query: Query,
  returns: pageOf(Release),
  visible: requireApplicationOfPath,
  async handle({ db, application, query }) {
    const owner = { applicationId: application.id, workspaceId: application.workspace_id }
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

type Owner = { applicationId: string; workspaceId: string }

/** Turns names into ids; whatever names nothing here is a 422 that quotes it. */
async function readFilter(db: Db, owner: Owner, query: Static<typeof Query>): Promise<ReleaseFilter> {
  const errors: Record<string, string[]> = {}
  const platforms = splitCommas(query.platforms)
  const noPlatforms = platforms?.filter((slug) => findPlatform(slug) === undefined) ?? []
  if (noPlatforms.length > 0) errors['platforms'] = noPlatforms.map((slug) => `"${slug}" is not a platform.`)
  const given = splitCommas(query.labels)
  const found = given === undefined ? undefined : await findLabelIds(db, owner, given)
  if (found !== undefined && found.unknown.length > 0)
    errors['labels'] = found.unknown.map((label) => `"${label}" is not a label of this application.`)
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return { search: query.search, labelIds: found?.ids, platforms }
}
