import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { problem } from '../../lib/problem.ts'
import { changeReleaseStatus } from './release-status.ts'
import { markReleaseWithdrawn, requireLockedRelease, requireReleaseOfPath } from './release.db.ts'
import { FullRelease, ReleaseId, requireFullRelease } from './release.ts'

const isDraft = problem(
  'conflict',
  'release.draft',
  'This release is a draft, so there is nothing to withdraw. Delete it if you no longer need it.',
)

export const withdrawRelease = endpoint({
  method: 'POST',
  path: '/applications/:application_id/releases/:release_id/withdraw',
  scope: { workspace: 'releases:write', application: 'releases:write' },
  summary: 'Withdraw a release',
  description:
    'Hides a published release from share links, distribution groups and portals, or cancels a scheduled publication. Share links and personal links to the release stop working until it is published again; download URLs that were already issued remain valid for up to 15 minutes. Has no effect on a withdrawn release. Returns 409 for a draft.',
  params: Type.Object({ application_id: ApplicationId, release_id: ReleaseId }),
  refuses: [isDraft],
  returns: one(FullRelease),
  load: requireReleaseOfPath,
  async handle({ application: { id: applicationId }, release: { id }, ...call }) {
    const data = await inTransaction(call.db, async (tx) => {
      const row = await requireLockedRelease(tx, applicationId, id)
      if (row.status === 'draft') throw isDraft()
      if (row.status === 'withdrawn') return requireFullRelease(tx, applicationId, id, call.config)
      return changeReleaseStatus(tx, call, row, {
        action: 'release.withdrawn',
        save: () => markReleaseWithdrawn(tx, id),
        event: row.status === 'published' ? 'release.withdrawn' : undefined,
      })
    })
    return { message: 'Release withdrawn.', data }
  },
})
