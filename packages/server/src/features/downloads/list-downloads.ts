import { Type } from 'typebox'
import { requireApplicationOfPath } from '../../access/application.db.ts'
import { cursorList } from '../../http/endpoint/cursor-list.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { downloadFilterQuery, readDownloadFilter } from './download-filter.ts'
import { listDownloadsAfter } from './download-list.db.ts'
import { ListedDownload, listedDownloadResource } from './listed-download.ts'

const downloadList = cursorList('downloads.1', 'downloads')

export const listDownloads = endpoint({
  method: 'GET',
  path: '/applications/:application_id/downloads',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'List downloads',
  description:
    'Returns who downloaded which build, when and through which channel, the latest first. An entry is recorded each time a download begins; resumed downloads are not recorded again. Downloads of deleted builds are not listed. To get all of them as a file, use `GET /applications/{application_id}/downloads/export`.',
  params: Type.Object({ application_id: ApplicationId }),
  query: Type.Object({
    ...downloadFilterQuery,
    ...downloadList.query,
  }),
  returns: downloadList.returns(ListedDownload),
  load: requireApplicationOfPath,
  async handle({ db, actor, application, query: { after, limit, ...query } }) {
    const page = downloadList.readPage({ after, limit })
    const filter = await readDownloadFilter({ db, actor }, application, query)
    const rows = await listDownloadsAfter(db, filter, page.after, page.limit)
    const { shown, cursor } = downloadList.pageOf(rows, page, ({ created_at: time, id }) => ({ time, id }))
    return {
      message: 'Downloads retrieved.',
      data: shown.map((row) => listedDownloadResource(row, actor)),
      cursor,
    }
  },
})
