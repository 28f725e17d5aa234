import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { problem } from '../../lib/problem.ts'
import { requireApplicationIncludingTrashed, restoreTrashedApplication } from './application.db.ts'
import { applicationAuditSnapshot, singleApplication, SingleApplication } from './application.ts'

const restorePeriodOver = problem(
  'gone',
  'application.expired',
  'This application can no longer be restored because its restore period has ended. Create a new one.',
)

const notInTrash = problem(
  'conflict',
  'application.not_in_trash',
  'This application is not in the trash, so there is nothing to restore.',
)

export const restoreApplication = endpoint({
  method: 'POST',
  path: '/applications/:application_id/restore',
  scope: { workspace: 'applications:write' },
  summary: 'Restore an application from trash',
  description:
    'Restores the application with its builds, releases and settings. Possible until it is purged.',
  params: Type.Object({ application_id: ApplicationId }),
  refuses: [restorePeriodOver, notInTrash],
  returns: one(SingleApplication),
  async load({ db, actor, params }) {
    return { application: await requireApplicationIncludingTrashed(db, actor, params.application_id) }
  },
  async handle({ application, ...call }) {
    const { trashDays } = call.config
    await inTransaction(call.db, async (tx) => {
      if (!(await restoreTrashedApplication(tx, application.id, trashDays))) {
        const current = await requireApplicationIncludingTrashed(tx, call.actor, application.id)
        if (current.deleted_at !== null) throw restorePeriodOver()
        throw notInTrash()
      }
      await recordEvent(tx, call, {
        action: 'application.restored',
        applicationId: application.id,
        subject: { type: 'application', id: application.id },
        after: applicationAuditSnapshot(application),
      })
    })
    return { message: 'Application restored.', data: await singleApplication(call, application) }
  },
})
