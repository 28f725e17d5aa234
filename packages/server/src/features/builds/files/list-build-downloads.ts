import { Type } from 'typebox'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { ApplicationId, BuildId } from '../../../http/endpoint/fields.ts'
import { pageFrom, pageOf, pageQuery, pagination, sortQuery } from '../../../http/endpoint/pagination.ts'
import { requireBuildOfPath } from '../build.db.ts'
import { listDownloadsPage } from './download.db.ts'
import { Download, downloadResource } from './download.ts'

const perPage = 15

export const listBuildDownloads = endpoint({
  method: 'GET',
  path: '/applications/:application_id/builds/:build_id/downloads',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'List build downloads',
  description:
    'An entry is recorded each time download links for files of the build are requested with an API key or through a public link.',
  params: Type.Object({ application_id: ApplicationId, build_id: BuildId }),
  query: Type.Object({ ...sortQuery(['created_at'], 'created_at'), ...pageQuery(perPage) }),
  returns: pageOf(Download),
  load: requireBuildOfPath,
  async handle({ db, actor, build, query }) {
    const page = pageFrom(query, perPage)
    const { rows, total } = await listDownloadsPage(db, build.id, query.sort ?? 'asc', page)
    return {
      message: 'Downloads retrieved.',
      data: rows.map((row) => downloadResource(row, actor)),
      pagination: pagination(page, total, rows.length),
    }
  },
})
