import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { requireFeedbackOfPath } from './feedback.db.ts'
import { Feedback, feedbackParams, feedbackResource } from './feedback.ts'

export const getFeedback = endpoint({
  method: 'GET',
  path: '/applications/:application_id/feedback/:feedback_id',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'Get feedback',
  description: 'Returns one entry of feedback with its build and screenshots.',
  params: feedbackParams,
  returns: one(Feedback),
  load: requireFeedbackOfPath,
  handle: async ({ feedback, ...call }) => ({
    message: 'Feedback retrieved.',
    data: feedbackResource(feedback, call),
  }),
})
