import { Type, type Static } from 'typebox'
import { requireApplicationLock } from '../../access/application.db.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { createdBetween, readCreatedBetween } from '../../http/endpoint/created-between.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { invalid, noKnownFields, wholeBody } from '../../http/endpoint/validation.ts'
import { insertRedeliveries, type RedeliveryFilter } from './webhook-request.db.ts'
import { requireWebhook } from './webhook.db.ts'
import { requireWebhookOfPath, WebhookId } from './webhook.ts'

const maxRedeliveries = 1_000

const Selection = Type.Object(
  {
    state: Type.Optional(Type.Enum(['delivered', 'failed'], { description: 'By default, both.' })),
    ...createdBetween,
  },
  { minProperties: 1 },
)

export const redeliverWebhookRequests = endpoint({
  method: 'POST',
  path: '/applications/:application_id/webhooks/:webhook_id/requests/redeliver',
  scope: { workspace: 'webhooks:write', application: 'webhooks:write' },
  summary: 'Redeliver webhook requests',
  description:
    `Redelivers up to ${maxRedeliveries.toLocaleString('en-US')} requests, oldest first. At least one of \`state\`, ` +
    '`created_after` and `created_before` is required. Skips test requests, requests that are waiting and requests ' +
    'that have already been redelivered. A redelivery is itself redelivered only if it failed. Repeat the call while ' +
    '`has_more` is `true`.',
  params: Type.Object({ application_id: ApplicationId, webhook_id: WebhookId }),
  body: Selection,
  creates: true,
  returns: one(
    Type.Object({
      redelivered_count: Type.Integer(),
      has_more: Type.Boolean({
        description: 'Whether more requests match. Repeat the call to redeliver them.',
      }),
      created_before: Type.String({
        description:
          'End of the range. Send this value when you repeat the call, so that failed redeliveries are not selected.',
      }),
    }),
  ),
  load: requireWebhookOfPath,
  async handle({ application, webhook, body, ...call }) {
    const filter = readFilter(body)
    const { count, hasMore, createdBefore } = await inTransaction(call.db, async (tx) => {
      await requireApplicationLock(tx, application.id)
      const current = await requireWebhook(tx, application.id, webhook.id)
      const redelivered = await insertRedeliveries(tx, current, filter, maxRedeliveries)
      if (redelivered.count > 0)
        await recordEvent(tx, call, {
          action: 'webhook.redelivered',
          applicationId: application.id,
          subject: { type: 'webhook', id: webhook.id },
          after: { ...body, redelivered_count: redelivered.count },
        })
      return redelivered
    })
    const requests = count === 1 ? '1 request' : `${count.toLocaleString('en-US')} requests`
    return {
      message: `${requests} queued for redelivery.`,
      data: { redelivered_count: count, has_more: hasMore, created_before: createdBefore },
    }
  },
})

function readFilter(body: Static<typeof Selection>): RedeliveryFilter {
  const errors: Record<string, string[]> = {}
  const createdRange = readCreatedBetween(body, errors)
  if (Object.keys(errors).length > 0) throw invalid(errors)
  const { state } = body
  if (state === undefined && body.created_after === undefined && body.created_before === undefined)
    throw invalid({ [wholeBody]: [noKnownFields(Selection)] })
  return { state, ...createdRange }
}
