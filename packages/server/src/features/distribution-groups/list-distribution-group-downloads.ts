import { Type, type Static } from 'typebox'
import type { Actor } from '../../http/endpoint/actor.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { Nullable } from '../../http/endpoint/fields.ts'
import { pageFrom, pageOf, pageQuery, pagination, sortQuery } from '../../http/endpoint/pagination.ts'
import { requireDistributionGroupOfPath } from './distribution-group.db.ts'
import { DistributionGroupId } from './distribution-group.ts'
import { listGroupDownloadsPage, type GroupDownloadRow } from './link/group-download.db.ts'
import { downloadedBuild, downloadedBuildResource } from './link/group-download.ts'

const perPage = 15

const DistributionGroupDownload = Type.Object(
  {
    id: Type.String(),
    email: Nullable(
      Type.String({
        description:
          'Email address of the person the link was sent to. `null` for keys without `members:read`.',
      }),
    ),
    ...downloadedBuild,
    address: Nullable(Type.String()),
    user_agent: Nullable(Type.String()),
  },
  { title: 'DistributionGroupDownload' },
)

export const listDistributionGroupDownloads = endpoint({
  method: 'GET',
  path: '/distribution-groups/:distribution_group_id/downloads',
  scope: { workspace: 'distribution_groups:read' },
  summary: 'List distribution group downloads',
  description:
    'Returns who downloaded which build through a link that was sent to the group, including people who have since left it. Omits builds whose application is in the trash.',
  params: Type.Object({ distribution_group_id: DistributionGroupId }),
  query: Type.Object({ ...sortQuery(['created_at'], 'created_at'), ...pageQuery(perPage) }),
  returns: pageOf(DistributionGroupDownload),
  load: requireDistributionGroupOfPath,
  async handle({ db, actor, group, query }) {
    const page = pageFrom(query, perPage)
    const { rows, total } = await listGroupDownloadsPage(db, group.id, query.sort ?? 'asc', page)
    return {
      message: 'Downloads retrieved.',
      data: rows.map((row) => groupDownloadResource(row, actor)),
      pagination: pagination(page, total, rows.length),
    }
  },
})

function groupDownloadResource(
  row: GroupDownloadRow,
  { scopes }: Actor,
): Static<typeof DistributionGroupDownload> {
  const { id, email, address, user_agent } = row
  return {
    id,
    email: scopes.has('members:read') ? email : null,
    ...downloadedBuildResource(row),
    address,
    user_agent,
  }
}
