import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { Message } from '../../http/endpoint/responses.ts'
import { markObjectsDeleted } from '../../storage/objects/stored-objects.db.ts'
import { removeFeedback, requireFeedbackOfPath, requireLockedFeedback } from './feedback.db.ts'
import { feedbackAuditSnapshot, feedbackParams } from './feedback.ts'

export const deleteFeedback = endpoint({
  method: 'DELETE',
  path: '/applications/:application_id/feedback/:feedback_id',
  scope: { workspace: 'builds:write', application: 'builds:write' },
  summary: 'Delete feedback',
  description: 'Deletes the feedback and its screenshots. This cannot be undone.',
  params: feedbackParams,
  returns: Message,
  load: requireFeedbackOfPath,
  async handle({ feedback: { id, application_id: applicationId }, ...call }) {
    await inTransaction(call.db, async (tx) => {
      const before = await requireLockedFeedback(tx, applicationId, id)
      await markObjectsDeleted(tx, await removeFeedback(tx, id))
      await recordEvent(tx, call, {
        action: 'feedback.deleted',
        applicationId,
        subject: { type: 'feedback', id },
        before: feedbackAuditSnapshot(before),
      })
    })
    return { message: 'Feedback deleted.' }
  },
})
