import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { daysQuery, defaultDays } from './daily-series.ts'
import { findToday } from './statistics.db.ts'
import { listApplicationTotals, listDailyChanges, listNewestBuilds } from './workspace-statistics.db.ts'
import { WorkspaceStatistics, workspaceStatistics } from './workspace-statistics.ts'

const maxApplications = 50

export const getWorkspaceStatistics = endpoint({
  method: 'GET',
  path: '/workspace/statistics',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'Get workspace statistics',
  description:
    'Summarizes the applications that the caller can access. The values of each day are computed as for the ' +
    'statistics of an application.',
  query: Type.Object(daysQuery),
  returns: one(WorkspaceStatistics),
  async handle({ db, actor, config: { publicUrl }, query }) {
    const period = { today: await findToday(db), days: query.days ?? defaultDays }
    const applications = await listApplicationTotals(db, actor, maxApplications)
    const ids = applications.map(({ id }) => id)
    const changes = await listDailyChanges(db, actor, ids, period)
    const newest = await listNewestBuilds(db, ids)
    return {
      message: 'Statistics retrieved.',
      data: workspaceStatistics({ applications, changes, newest, publicUrl }, period),
    }
  },
})
