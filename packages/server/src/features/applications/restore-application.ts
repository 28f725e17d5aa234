import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { Problem } from '../../lib/problem.ts'
import { findBuildTotals } from '../builds/storage-usage.db.ts'
import { requireApplicationInTrashOrNot, updateApplicationRestored } from './application.db.ts'
import { applicationFacts, applicationResource, SingleApplication } from './application.ts'

export const restoreApplication = endpoint({
  method: 'POST',
  path: '/applications/:application_id/restore',
  scope: { workspace: 'applications:write' },
  summary: 'Take an application back out of the trash',
  params: Type.Object({ application_id: ApplicationId }),
  returns: one(SingleApplication),
  async visible({ db, actor, params }) {
    return { application: await requireApplicationInTrashOrNot(db, actor, params.application_id) }
  },
  async handle({ application, ...call }) {
    const { trashDays } = call.config
    await inTransaction(call.db, async (tx) => {
      if (!(await updateApplicationRestored(tx, application.id, trashDays))) {
        const now = await requireApplicationInTrashOrNot(tx, call.actor, application.id)
        if (now.deleted_at !== null)
          throw new Problem('gone', 'application.expired', 'Its days in the trash are over.')
        throw new Problem('conflict', 'application.not_in_trash', 'This application is not in the trash.')
      }
      await recordEvent(tx, call, {
        action: 'application.restored',
        applicationId: application.id,
        subject: { type: 'application', id: application.id },
        after: applicationFacts(application),
      })
    })
    const totals = await findBuildTotals(call.db, application.id)
    return {
      message: 'Application restored.',
      data: {
        ...applicationResource(application, totals.storedBytes, call.config.publicUrl),
        build_count: totals.count,
      },
    }
  },
})
