import { Type } from 'typebox'
import { findPlatform } from '../../catalog/platforms.ts'
import { trashState } from '../../events/trash-state.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import {
  pageFrom,
  pageOf,
  pageQuery,
  pagination,
  searchQuery,
  sortQuery,
} from '../../http/endpoint/pagination.ts'
import { invalid } from '../../http/endpoint/validation.ts'
import { listStoredBytes } from '../builds/totals/storage-usage.db.ts'
import { unknownPlatform } from '../platforms/platform.ts'
import { listApplicationsPage } from './application.db.ts'
import { Application, applicationResource } from './application.ts'

const perPage = 10

export const listApplications = endpoint({
  method: 'GET',
  path: '/applications',
  scope: { workspace: 'applications:read', application: null },
  summary: 'List applications',
  description: 'Lists the applications that the key can access.',
  query: Type.Object({
    ...sortQuery(['name', 'created_at', 'updated_at'], 'name'),
    search: searchQuery('name, description and ID', 50),
    ...pageQuery(perPage),
    platform: Type.Optional(Type.String({ description: 'Slug of a platform.' })),
    trashed: Type.Optional(
      Type.Boolean({
        description:
          'Lists the applications in the trash instead, with `deleted_at`, `deleted_by` and `purge_at`. They can be restored.',
      }),
    ),
  }),
  returns: pageOf(Application),
  async handle({ db, actor, config, query }) {
    const { search, platform, sort_by: sortBy = 'name', sort: direction = 'asc' } = query
    if (platform !== undefined && findPlatform(platform) === undefined)
      throw invalid({ platform: [unknownPlatform(platform)] })
    const page = pageFrom(query, perPage)
    const filter = { search, platform, sortBy, direction, isTrashed: query.trashed === true }
    const { rows, total } = await listApplicationsPage(db, actor, filter, page)
    const ids = rows.map(({ id }) => id)
    const usage = await listStoredBytes(db, ids)
    return {
      message: 'Applications retrieved.',
      data: rows.map((row) => ({
        ...applicationResource(
          row,
          usage.get(row.id) ?? { total: 0, selfHosted: 0, shared: 0 },
          config.publicUrl,
        ),
        ...trashState(row, config.trashDays),
      })),
      pagination: pagination(page, total, rows.length),
    }
  },
})
