import { Type } from 'typebox'
import { requireApplicationOfPath } from '../../access/application.db.ts'
import { inTransaction } from '../../database/transaction.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { setSubscription } from './feedback-notice.db.ts'
import { FeedbackSubscription } from './feedback-subscription.ts'

export const replaceFeedbackSubscription = endpoint({
  method: 'PUT',
  path: '/applications/:application_id/feedback/subscription',
  scope: { workspace: null, application: null, session: 'required' },
  summary: 'Change your feedback subscription',
  description: 'Turns the emails about feedback on the application on or off for you.',
  params: Type.Object({ application_id: ApplicationId }),
  body: FeedbackSubscription,
  returns: one(FeedbackSubscription),
  load: requireApplicationOfPath,
  async handle({ application, db, actor, body: { is_subscribed } }) {
    const { userId } = actor
    if (userId !== null)
      await inTransaction(db, (tx) => setSubscription(tx, application.id, userId, is_subscribed))
    return { message: 'Feedback subscription updated.', data: { is_subscribed } }
  },
})
