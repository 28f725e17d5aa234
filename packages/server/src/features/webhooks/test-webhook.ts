import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { one } from '../../http/answers.ts'
import { endpoint, type Call } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { requireApplicationLock } from '../applications/application.db.ts'
import { requireFullBuild } from '../builds/build.db.ts'
import { requireFullRelease } from '../releases/release.db.ts'
import { requireWebhookOfPath } from './webhook-of-path.ts'
import { findNewestBuildId, findNewestReleaseId, insertWebhookRequest } from './webhook-request.db.ts'
import { envelopeOf, WebhookRequest, webhookRequestResource } from './webhook-request.ts'
import { requireWebhook } from './webhook.db.ts'
import { WebhookId } from './webhook.ts'

export const testWebhook = endpoint({
  method: 'POST',
  path: '/applications/:application_id/webhooks/:webhook_id/test',
  scope: { workspace: 'webhooks:write', application: 'webhooks:write' },
  summary: 'Send a test request to a webhook',
  description:
    'Its data is that of the newest build or release, and `test: true`. Works for inactive ones too.',
  params: Type.Object({ application_id: ApplicationId, webhook_id: WebhookId }),
  status: 201,
  returns: one(WebhookRequest),
  visible: requireWebhookOfPath,
  async handle({ application, webhook, ...call }) {
    const data = { ...(await exampleOf(call, application.id, webhook.event)), test: true }
    const envelope = envelopeOf(webhook.event, data, call.clock.now())
    const request = await inTransaction(call.db, async (tx) => {
      await requireApplicationLock(tx, application.id)
      const current = await requireWebhook(tx, application.id, webhook.id)
      const row = await insertWebhookRequest(tx, current, envelope)
      await recordEvent(tx, call, {
        action: 'webhook.tested',
        applicationId: application.id,
        subject: { type: 'webhook', id: webhook.id },
        after: { webhook_request_id: row.id },
      })
      return row
    })
    return { message: 'Test request queued.', data: webhookRequestResource(request) }
  },
})

async function exampleOf({ db, config }: Call, applicationId: string, event: string) {
  if (event.startsWith('release.')) {
    const id = await findNewestReleaseId(db, applicationId)
    if (id === undefined)
      return { release: { id: 'example', title: 'Example', version: '1.0.0', application_id: applicationId } }
    return { release: await requireFullRelease(db, applicationId, id, config) }
  }
  const id = await findNewestBuildId(db, applicationId)
  if (id === undefined) return { build: { id: 'example', version: '1.0.0', application_id: applicationId } }
  return { build: await requireFullBuild(db, applicationId, id, config) }
}
