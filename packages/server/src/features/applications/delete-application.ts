import { Type } from 'typebox'
import { requireApplicationOfPath } from '../../access/application.db.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { Message } from '../../http/endpoint/responses.ts'
import { notFound } from '../../lib/problem.ts'
import { moveApplicationToTrash } from './application.db.ts'
import { applicationAuditSnapshot } from './application.ts'

export const deleteApplication = endpoint({
  method: 'DELETE',
  path: '/applications/:application_id',
  scope: { workspace: 'applications:write' },
  summary: 'Delete an application',
  description:
    'Moves the application to the trash, from which it can be restored for `QUAYSIDE_TRASH_DAYS` days (7 by default). Until it is restored, its keys are rejected, and its releases, share links and portals are unavailable. List the trash with `GET /applications?trashed=true`. Unlike deleting a build, this does not require `force`.',
  params: Type.Object({ application_id: ApplicationId }),
  returns: Message,
  load: requireApplicationOfPath,
  async handle({ application, ...call }) {
    await inTransaction(call.db, async (tx) => {
      if (!(await moveApplicationToTrash(tx, application.id))) throw notFound()
      await recordEvent(tx, call, {
        action: 'application.deleted',
        applicationId: application.id,
        subject: { type: 'application', id: application.id },
        before: applicationAuditSnapshot(application),
      })
    })
    return { message: 'Application moved to the trash.' }
  },
})
