import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { publishLockedRelease } from './release-status.ts'
import { requireLockedRelease, requireReleaseOfPath } from './release.db.ts'
import { FullRelease, ReleaseId, requireFullRelease } from './release.ts'

export const publishRelease = endpoint({
  method: 'POST',
  path: '/applications/:application_id/releases/:release_id/publish',
  scope: { workspace: 'releases:write', application: 'releases:write' },
  summary: 'Publish a release',
  description:
    'Publishes a draft, a scheduled release before its time, or a withdrawn release. Share links and portals then show it. The members of the active distribution groups to which it was added with `notify` receive an email, unless they have already been notified of it. Has no effect on a release that is already published.',
  params: Type.Object({ application_id: ApplicationId, release_id: ReleaseId }),
  returns: Type.Object({
    message: Type.String(),
    data: FullRelease,
    notified_count: Type.Integer({ description: 'Number of members that this call notified.' }),
  }),
  load: requireReleaseOfPath,
  async handle({ application: { id: applicationId }, release: { id }, ...call }) {
    return inTransaction(call.db, async (tx) => {
      const row = await requireLockedRelease(tx, applicationId, id)
      if (row.status === 'published') {
        const data = await requireFullRelease(tx, applicationId, id, call.config)
        return { message: 'Release is already published.', data, notified_count: 0 }
      }
      const { release, notified_count } = await publishLockedRelease(tx, call, row)
      return { message: 'Release published.', data: release, notified_count }
    })
  },
})
