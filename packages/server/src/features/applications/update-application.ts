import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { one } from '../../http/answers.ts'
import { givenChanges } from '../../http/changes.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { findBuildTotals } from '../builds/storage-usage.db.ts'
import { requireApplicationOfPath, requireLockedApplication, updateApplicationRow } from './application.db.ts'
import {
  ApplicationChanges,
  applicationFacts,
  applicationResource,
  SingleApplication,
} from './application.ts'

export const updateApplication = endpoint({
  method: 'PATCH',
  path: '/applications/:application_id',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Change an application',
  params: Type.Object({ application_id: ApplicationId }),
  body: ApplicationChanges,
  returns: one(SingleApplication),
  visible: requireApplicationOfPath,
  async handle({ application: { id }, body, ...call }) {
    const changes = givenChanges(ApplicationChanges, body)
    const application = await inTransaction(call.db, async (tx) => {
      const before = await requireLockedApplication(tx, id)
      const after = await updateApplicationRow(tx, id, changes)
      await recordEvent(tx, call, {
        action: 'application.updated',
        applicationId: id,
        subject: { type: 'application', id },
        before: applicationFacts(before),
        after: applicationFacts(after),
      })
      return after
    })
    const totals = await findBuildTotals(call.db, id)
    return {
      message: 'Application updated.',
      data: {
        ...applicationResource(application, totals.storedBytes, call.config.publicUrl),
        build_count: totals.count,
      },
    }
  },
})
