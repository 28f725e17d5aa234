import { Type } from 'typebox'
import { requireApplicationOfPath } from '../../access/application.db.ts'
import type { Db } from '../../database/transaction.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import { csvType, CsvResponse, type CsvRow } from '../../http/endpoint/csv-response.ts'
import type { ListPosition } from '../../http/endpoint/cursor.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import type { DownloadFilter } from './download-filter.db.ts'
import { downloadFilterQuery, readDownloadFilter } from './download-filter.ts'
import { listDownloadsAfter } from './download-list.db.ts'
import { listedDownloadResource } from './listed-download.ts'

/** Rows of one statement. A node holds only these rows of an export. */
const rowsPerStatement = 1_000

const columns = [
  'created_at',
  'channel',
  'is_install',
  'email',
  'user_name',
  'user_id',
  'api_key_name',
  'api_key_id',
  'share_link_id',
  'distribution_group_name',
  'distribution_group_id',
  'portal_name',
  'portal_id',
  'version',
  'build_number',
  'platform',
  'build_id',
  'filename',
  'address',
  'user_agent',
  'id',
] as const

export const exportDownloads = endpoint({
  method: 'GET',
  path: '/applications/:application_id/downloads/export',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'Export downloads as CSV',
  description:
    'Returns all downloads that match the filters as a CSV file (RFC 4180, UTF-8 with a byte order mark and a header), the latest first. Text that a spreadsheet would read as a formula begins with an apostrophe.',
  params: Type.Object({ application_id: ApplicationId }),
  query: Type.Object(downloadFilterQuery),
  exports: csvType,
  returns: CsvResponse,
  load: requireApplicationOfPath,
  async handle({ db, actor, clock, application, query }) {
    const filter = await readDownloadFilter({ db, actor }, application, query)
    const day = clock.now().toISOString().slice(0, 10)
    return { filename: `downloads-${day}.csv`, columns, rows: readRows(db, actor, filter) }
  },
})

async function* readRows(db: Db, actor: Actor, filter: DownloadFilter): AsyncGenerator<CsvRow[]> {
  let after: ListPosition | undefined
  for (;;) {
    const rows = await listDownloadsAfter(db, filter, after, rowsPerStatement)
    yield rows.map((row) => {
      const { platform, api_key: apiKey, ...download } = listedDownloadResource(row, actor)
      const cells = {
        ...download,
        platform: platform.identifier,
        api_key_name: apiKey?.name ?? null,
        api_key_id: apiKey?.id ?? null,
      }
      return columns.map((column) => cells[column])
    })
    const last = rows.at(-1)
    if (last === undefined || rows.length < rowsPerStatement) return
    after = { time: last.created_at, id: last.id }
  }
}
