import { assertDeletionAllowed } from '../../jobs/deletion-guard.ts'
import { job } from '../../jobs/job.ts'
import { purgeApplication } from '../applications/purge-applications.job.ts'
import { purgeBuildsOfApplication } from '../builds/purge-builds.job.ts'

type Data = { applicationId: string }

/**
 * Purges a deleted sample application at once. Fails if another transaction, such as one that has just inspected a build,
 * uses one of its builds. If all retries fail, the hourly jobs purge the application.
 */
export const purgeSample = job<Data>({
  name: 'sample.purge',
  retries: 5,
  expireInSeconds: 60 * 60,
  async handle(deps, { applicationId }, stopping) {
    await assertDeletionAllowed(deps)
    await purgeBuildsOfApplication(deps, applicationId, stopping)
    const isPurged = await purgeApplication(deps, applicationId, stopping)
    if (!isPurged && !stopping.aborted)
      throw new Error(`The sample application ${applicationId} has builds that could not be purged.`)
  },
})
