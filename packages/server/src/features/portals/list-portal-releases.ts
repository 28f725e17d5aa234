import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { Timestamp } from '../../http/endpoint/fields.ts'
import { pageFrom, pageOf, pageQuery, pagination } from '../../http/endpoint/pagination.ts'
import { formatVersion } from '../../lib/semver.ts'
import { listPortalReleasesPage } from './portal-release.db.ts'
import { requirePortalOfPath } from './portal.db.ts'
import { PortalId } from './portal.ts'

const perPage = 15

const PortalRelease = Type.Object(
  {
    id: Type.String({ description: 'ID of the release.' }),
    application_id: Type.String(),
    version: Type.String(),
    title: Type.String(),
    published_at: Timestamp,
  },
  { title: 'PortalRelease' },
)

export const listPortalReleases = endpoint({
  method: 'GET',
  path: '/portals/:portal_id/releases',
  scope: { workspace: 'portals:read' },
  summary: 'List portal releases',
  description: 'Returns the releases that the portal shows. A portal shows only published releases.',
  params: Type.Object({ portal_id: PortalId }),
  query: Type.Object(pageQuery(perPage)),
  returns: pageOf(PortalRelease),
  load: requirePortalOfPath,
  async handle({ db, portal, query }) {
    const page = pageFrom(query, perPage)
    const { rows, total } = await listPortalReleasesPage(db, portal.id, page)
    return {
      message: 'Releases retrieved.',
      data: rows.map(({ id, application_id, title, published_at, ...version }) => ({
        id,
        application_id,
        version: formatVersion(version),
        title,
        published_at,
      })),
      pagination: pagination(page, total, rows.length),
    }
  },
})
