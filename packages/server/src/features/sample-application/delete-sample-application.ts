import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { Message } from '../../http/endpoint/responses.ts'
import { expireSampleApplication } from '../applications/application.db.ts'
import { applicationAuditSnapshot } from '../applications/application.ts'
import { requireLockedWorkspace } from '../workspace/workspace.db.ts'
import { purgeSample } from './purge-sample.job.ts'
import { findSampleApplication } from './sample-application.db.ts'

export const deleteSampleApplication = endpoint({
  method: 'DELETE',
  path: '/workspace/sample-application',
  scope: { workspace: 'applications:write' },
  summary: 'Delete the sample application',
  description:
    'Deletes the sample application with everything in it, also what was added to it. Unlike other applications, it cannot be restored. Does nothing if there is none.',
  returns: Message,
  async handle(call) {
    const { db, actor, config, queue } = call
    await inTransaction(db, async (tx) => {
      await requireLockedWorkspace(tx, actor.workspaceId)
      const application = await findSampleApplication(tx, actor.workspaceId)
      if (application === undefined) return
      await expireSampleApplication(tx, application.id, config.trashDays)
      await recordEvent(tx, call, {
        action: 'application.deleted',
        applicationId: application.id,
        subject: { type: 'application', id: application.id },
        before: { ...applicationAuditSnapshot(application), is_sample: true },
      })
      await queue.enqueue(tx, purgeSample, { applicationId: application.id })
    })
    return { message: 'Sample application deleted.' }
  },
})
