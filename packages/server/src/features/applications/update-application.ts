import { Type } from 'typebox'
import { requireApplicationOfPath, requireLockedApplication } from '../../access/application.db.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { givenChanges } from '../../http/changes.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { one } from '../../http/responses.ts'
import { saveApplication } from './application.db.ts'
import {
  ApplicationChanges,
  applicationAuditSnapshot,
  singleApplication,
  SingleApplication,
} from './application.ts'

export const updateApplication = endpoint({
  method: 'PATCH',
  path: '/applications/:application_id',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Update an application',
  params: Type.Object({ application_id: ApplicationId }),
  body: ApplicationChanges,
  returns: one(SingleApplication),
  load: requireApplicationOfPath,
  async handle({ application: { id }, body, ...call }) {
    const changes = givenChanges(ApplicationChanges, body)
    const application = await inTransaction(call.db, async (tx) => {
      const before = await requireLockedApplication(tx, id)
      const after = await saveApplication(tx, id, changes)
      await recordEvent(tx, call, {
        action: 'application.updated',
        applicationId: id,
        subject: { type: 'application', id },
        before: applicationAuditSnapshot(before),
        after: applicationAuditSnapshot(after),
      })
      return after
    })
    return { message: 'Application updated.', data: await singleApplication(call, application) }
  },
})
