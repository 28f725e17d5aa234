import { Type } from 'typebox'
import { requireApplicationOfPath } from '../../access/application.db.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { daysQuery, defaultDays } from './daily-series.ts'
import { findToday, listByteChanges, listDailyCounts, listDailyDownloadsByVersion } from './statistics.db.ts'
import { ApplicationStatistics, applicationStatistics } from './statistics.ts'

const maxVersions = 8

export const getApplicationStatistics = endpoint({
  method: 'GET',
  path: '/applications/:application_id/statistics',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'Get application statistics',
  description:
    'Counts the uploads and downloads of each day, and the bytes stored at its end. Deleted builds remain counted. ' +
    'Downloads of metadata artifacts are not counted. Stored bytes include builds in the trash.\n\n' +
    'Days before the server was upgraded to this version are approximate: builds that had been purged are missing, and ' +
    'the bytes of the others are counted in the stream that they were in during the upgrade.',
  params: Type.Object({ application_id: ApplicationId }),
  query: Type.Object(daysQuery),
  returns: one(ApplicationStatistics),
  load: requireApplicationOfPath,
  async handle({ db, application: { id }, query }) {
    const period = { today: await findToday(db), days: query.days ?? defaultDays }
    const rows = {
      counts: await listDailyCounts(db, id, period),
      versions: await listDailyDownloadsByVersion(db, id, period, maxVersions),
      byteChanges: await listByteChanges(db, id, period),
    }
    return { message: 'Statistics retrieved.', data: applicationStatistics(rows, period) }
  },
})
