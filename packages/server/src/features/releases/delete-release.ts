import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { Message } from '../../http/endpoint/responses.ts'
import { removeRelease, requireLockedRelease, requireReleaseOfPath } from './release.db.ts'
import { releaseAuditSnapshot, ReleaseId, requireFullRelease } from './release.ts'

export const deleteRelease = endpoint({
  method: 'DELETE',
  path: '/applications/:application_id/releases/:release_id',
  scope: { workspace: 'releases:write', application: 'releases:write' },
  summary: 'Delete a release',
  description: 'Also deletes its share links, but not its builds.',
  params: Type.Object({ application_id: ApplicationId, release_id: ReleaseId }),
  returns: Message,
  load: requireReleaseOfPath,
  async handle({ application: { id: applicationId }, release: { id }, ...call }) {
    await inTransaction(call.db, async (tx) => {
      await requireLockedRelease(tx, applicationId, id)
      const release = await requireFullRelease(tx, applicationId, id, call.config)
      await removeRelease(tx, id)
      await recordEvent(tx, call, {
        action: 'release.deleted',
        applicationId,
        subject: { type: 'release', id },
        before: releaseAuditSnapshot(release),
        events: release.published_at === null ? [] : [{ name: 'release.deleted', data: { release } }],
      })
    })
    return { message: 'Release deleted.' }
  },
})
