import { Type } from 'typebox'
import { requireApplicationOfPath } from '../../access/application.db.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { defaultInterval, intervalQuery, partsOf } from './build-periods.ts'
import { findBuildDays, listBuildSamples } from './build-statistics.db.ts'
import { BuildStatistics, buildStatistics } from './build-statistics.ts'
import { daysQuery, defaultDays } from './daily-series.ts'

// Reading the first download of this many builds takes about a tenth of a second.
const maxBuildsRead = 10_000
const maxBuildsPerPeriod = 500

export const getBuildStatistics = endpoint({
  method: 'GET',
  path: '/applications/:application_id/statistics/builds',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'Get build statistics',
  description:
    'Reports per day or week how many builds were uploaded and could not be read, how large builds are, and how long it ' +
    `takes until a person downloads them. Sizes and durations are computed from the newest builds of each period, at most ${maxBuildsPerPeriod} of each and ${maxBuildsRead} in total. ` +
    'Builds that were deleted, such as by retention, are missing.',
  params: Type.Object({ application_id: ApplicationId }),
  query: Type.Object({ ...daysQuery, ...intervalQuery }),
  returns: one(BuildStatistics),
  load: requireApplicationOfPath,
  async handle({ db, application: { id }, query }) {
    const days = query.days ?? defaultDays
    const interval = query.interval ?? defaultInterval(days)
    const { today, counts } = await findBuildDays(db, id, days)
    const parts = partsOf({ today, days }, interval)
    const maxBuilds = Math.min(maxBuildsPerPeriod, Math.floor(maxBuildsRead / parts.length))
    const samples = await listBuildSamples(db, id, parts, maxBuilds)
    return {
      message: 'Build statistics retrieved.',
      data: buildStatistics({ counts, samples, parts, interval, maxBuilds }),
    }
  },
})
