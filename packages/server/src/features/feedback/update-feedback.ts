import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { requireFullBuild } from '../builds/build.db.ts'
import {
  requireFeedback,
  requireFeedbackOfPath,
  requireLockedFeedback,
  saveFeedbackState,
} from './feedback.db.ts'
import {
  Feedback,
  feedbackAuditSnapshot,
  feedbackOfEvent,
  feedbackParams,
  feedbackResource,
  feedbackStates,
} from './feedback.ts'

export const updateFeedback = endpoint({
  method: 'PATCH',
  path: '/applications/:application_id/feedback/:feedback_id',
  scope: { workspace: 'builds:write', application: 'builds:write' },
  summary: 'Close or reopen feedback',
  description: 'Sets the state of the feedback. Setting the current state again changes nothing.',
  params: feedbackParams,
  body: Type.Object({ state: Type.Enum([...feedbackStates]) }),
  returns: one(Feedback),
  load: requireFeedbackOfPath,
  async handle({ feedback: { id, application_id: applicationId }, body: { state }, ...call }) {
    const { db, config, actor } = call
    const saved = await inTransaction(db, async (tx) => {
      const before = await requireLockedFeedback(tx, applicationId, id)
      if (before.state === state) return before
      await saveFeedbackState(tx, id, state === 'open' ? null : { id: actor.id, name: actor.name })
      const after = await requireFeedback(tx, applicationId, id)
      const build = await requireFullBuild(tx, applicationId, after.build_id, config)
      await recordEvent(tx, call, {
        action: 'feedback.updated',
        applicationId,
        subject: { type: 'feedback', id },
        before: feedbackAuditSnapshot(before),
        after: feedbackAuditSnapshot(after),
        events: [{ name: 'feedback.updated', data: { feedback: feedbackOfEvent(after, config), build } }],
      })
      return after
    })
    return {
      message: state === 'closed' ? 'Feedback closed.' : 'Feedback reopened.',
      data: feedbackResource(saved, call),
    }
  },
})
