import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { Message } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { notFound } from '../../lib/problem.ts'
import { requireApplicationOfPath, updateApplicationTrashed } from './application.db.ts'
import { applicationFacts } from './application.ts'

export const deleteApplication = endpoint({
  method: 'DELETE',
  path: '/applications/:application_id',
  scope: { workspace: 'applications:write' },
  summary: 'Put an application into the trash',
  description: 'It can be restored for some days (7 unless configured). Its keys are refused meanwhile.',
  params: Type.Object({ application_id: ApplicationId }),
  returns: Message,
  visible: requireApplicationOfPath,
  async handle({ application, ...call }) {
    await inTransaction(call.db, async (tx) => {
      if (!(await updateApplicationTrashed(tx, application.id))) throw notFound()
      await recordEvent(tx, call, {
        action: 'application.deleted',
        applicationId: application.id,
        subject: { type: 'application', id: application.id },
        before: applicationFacts(application),
      })
    })
    return { message: 'Application put into the trash.' }
  },
})
