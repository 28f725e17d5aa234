import { Type } from 'typebox'
import { requireApplicationOfPath } from '../../access/application.db.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId, Nullable } from '../../http/endpoint/fields.ts'
import { downloadFilterQuery, readDownloadFilter } from './download-filter.ts'
import { listDownloadsAfter } from './download-list.db.ts'
import { ListedDownload, listedDownloadResource, positionCursor, readPosition } from './listed-download.ts'

const defaultLimit = 100

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
    after: Type.Optional(
      Type.String({ maxLength: 2000, description: '`cursor` of the previous page; omit it for the first.' }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        default: defaultLimit,
        description: 'Maximum number of entries.',
      }),
    ),
  }),
  returns: Type.Object({
    message: Type.String(),
    data: Type.Array(ListedDownload),
    cursor: Nullable(
      Type.String({ description: '`after` for the next page; `null` if there are no more downloads.' }),
    ),
  }),
  load: requireApplicationOfPath,
  async handle({ db, actor, application, query: { after, limit = defaultLimit, ...query } }) {
    const position = readPosition(after)
    const filter = await readDownloadFilter({ db, actor }, application, query)
    const rows = await listDownloadsAfter(db, filter, position, limit + 1)
    const shown = rows.slice(0, limit)
    const last = rows.length > limit ? shown.at(-1) : undefined
    return {
      message: 'Downloads retrieved.',
      data: shown.map((row) => listedDownloadResource(row, actor)),
      cursor: last === undefined ? null : positionCursor({ time: last.created_at, id: last.id }),
    }
  },
})
