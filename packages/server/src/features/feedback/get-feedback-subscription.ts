import { Type } from 'typebox'
import { requireApplicationOfPath } from '../../access/application.db.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { findSubscription } from './feedback-notice.db.ts'
import { FeedbackSubscription } from './feedback-subscription.ts'

export const getFeedbackSubscription = endpoint({
  method: 'GET',
  path: '/applications/:application_id/feedback/subscription',
  scope: { workspace: null, application: null, session: 'required' },
  summary: 'Get your feedback subscription',
  description: 'Returns whether you get an email when feedback on the application arrives.',
  params: Type.Object({ application_id: ApplicationId }),
  returns: one(FeedbackSubscription),
  load: requireApplicationOfPath,
  handle: async ({ application, db, actor }) => ({
    message: 'Feedback subscription retrieved.',
    data: { is_subscribed: await findSubscription(db, application.id, actor.userId ?? '') },
  }),
})
