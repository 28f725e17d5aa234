import { Type } from 'typebox'
import { readClock } from '../../database/health.ts'
import { inTransaction } from '../../database/transaction.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { readFutureTime } from '../../http/endpoint/future-time.ts'
import { one } from '../../http/endpoint/responses.ts'
import { problem } from '../../lib/problem.ts'
import { changeReleaseStatus } from './release-status.ts'
import { announceSchedule, requireLockedRelease, requireReleaseOfPath, saveRelease } from './release.db.ts'
import { FullRelease, ReleaseId, ReleaseSchedule } from './release.ts'

const alreadyPublished = problem(
  'conflict',
  'release.already_published',
  'This release is already published. Withdraw it before you schedule it.',
)

export const scheduleRelease = endpoint({
  method: 'POST',
  path: '/applications/:application_id/releases/:release_id/schedule',
  scope: { workspace: 'releases:write', application: 'releases:write' },
  summary: 'Schedule a release',
  description:
    'Sets the time at which a draft or withdrawn release is published automatically, or changes the time of a scheduled release. The release is published within two seconds of that time or, if the service is not running at that time, when the service starts. Returns 409 if the release is already published.',
  params: Type.Object({ application_id: ApplicationId, release_id: ReleaseId }),
  body: ReleaseSchedule,
  refuses: [alreadyPublished],
  returns: one(FullRelease),
  load: requireReleaseOfPath,
  async handle({ application, release: { id }, body, ...call }) {
    const scheduled_for = readFutureTime('scheduled_for', body.scheduled_for, await readClock(call.db))
    const data = await inTransaction(call.db, async (tx) => {
      const row = await requireLockedRelease(tx, application.id, id)
      if (row.status === 'published') throw alreadyPublished()
      const release = await changeReleaseStatus(tx, call, row, {
        action: 'release.scheduled',
        save: () => saveRelease(tx, id, { status: 'scheduled', scheduled_for, withdrawn_at: null }),
      })
      await announceSchedule(tx)
      return release
    })
    return { message: 'Release scheduled.', data }
  },
})
