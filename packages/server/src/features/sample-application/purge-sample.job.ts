import { job } from '../../jobs/job.ts'
import { purgeApplications } from '../applications/purge-applications.job.ts'
import { purgeBuilds } from '../builds/purge-builds.job.ts'

/** Purges a deleted sample application at once. If the job fails, the hourly jobs do it. */
export const purgeSample = job({
  name: 'sample.purge',
  retries: 3,
  expireInSeconds: 60 * 60,
  async handle(deps, data, stopping) {
    await purgeBuilds.handle(deps, data, stopping)
    await purgeApplications.handle(deps, data, stopping)
  },
})
