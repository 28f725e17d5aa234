import { Type } from 'typebox'
import { inTransaction } from '../../../database/transaction.ts'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { reference } from '../../../http/endpoint/fields.ts'
import { Message } from '../../../http/endpoint/responses.ts'
import { problem } from '../../../lib/problem.ts'
import { maxMessageLength } from './access-request.ts'
import { addAccessRequest } from './add-access-request.job.ts'

const tooManyRequests = problem(
  'too_many',
  'access_request.too_many',
  'You can request access {limit} times an hour. Try again in {seconds} s.',
)

export const createAccessRequest = endpoint({
  method: 'POST',
  path: '/workspace/access-requests',
  scope: { workspace: null, application: null, session: 'required' },
  summary: 'Request access to an application',
  description:
    'Asks the admins of an application for access. The response is the same whether or not the application exists, so that it reveals nothing. A request is made only if the application is in your workspace and not in the trash, you cannot open it, and you have no open request for it. It ends after 30 days.',
  body: Type.Object({
    application_id: reference(255, 'ID of the application, from its URL.', { minLength: 1 }),
    message: Type.Optional(
      Type.String({
        maxLength: maxMessageLength,
        description: 'What the admins should know.',
        examples: ['I test the Android builds this week.'],
      }),
    ),
  }),
  status: 202,
  refuses: [tooManyRequests],
  returns: Message,
  async handle({ db, actor, address, queue, accessRequests, body }) {
    const { userId, workspaceId, name } = actor
    const { isAllowed, resetSeconds } = accessRequests.take(`${workspaceId} ${userId}`)
    if (!isAllowed)
      throw tooManyRequests(
        { limit: accessRequests.limit, seconds: resetSeconds },
        { retryAfterSeconds: resetSeconds },
      )
    // A job makes the request, so that the duration of the response does not reveal whether the application exists.
    await inTransaction(db, (tx) =>
      queue.enqueue(tx, addAccessRequest, {
        workspaceId,
        userId: userId ?? '',
        userName: name,
        address,
        applicationId: body.application_id,
        message: body.message?.trim() ?? '',
      }),
    )
    return { message: 'Access requested. You are notified when an admin approves it.' }
  },
})
