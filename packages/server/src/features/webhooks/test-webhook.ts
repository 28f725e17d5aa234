import { Type } from 'typebox'
import { requireApplicationLock } from '../../access/application.db.ts'
import { inTransaction } from '../../database/transaction.ts'
import { eventCatalogue, eventSamples, type EventName, type EventResources } from '../../events/catalogue.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint, type Call } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { one } from '../../http/responses.ts'
import { requireFullBuild } from '../builds/build.ts'
import { requireFullRelease } from '../releases/release.ts'
import { findNewestBuildId, findNewestReleaseId, insertWebhookRequest } from './webhook-request.db.ts'
import { envelopeOf, WebhookRequest, webhookRequestResource } from './webhook-request.ts'
import { requireWebhook } from './webhook.db.ts'
import { requireWebhookOfPath, WebhookId } from './webhook.ts'

export const testWebhook = endpoint({
  method: 'POST',
  path: '/applications/:application_id/webhooks/:webhook_id/test',
  scope: { workspace: 'webhooks:write', application: 'webhooks:write' },
  summary: 'Test a webhook',
  description:
    'Sends the most recent build or release, or a sample if there is none, with `test: true`. Inactive webhooks can be tested too.',
  params: Type.Object({ application_id: ApplicationId, webhook_id: WebhookId }),
  status: 201,
  returns: one(WebhookRequest),
  load: requireWebhookOfPath,
  async handle({ application, webhook, ...call }) {
    const data = { ...(await collectResources(call, application.id, webhook.event as EventName)), test: true }
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

/**
 * Returns the resources for the event payload, taken from the most recent build or release, or sample data for missing
 * resources.
 */
async function collectResources(call: Call, applicationId: string, event: EventName) {
  const { carries } = eventCatalogue[event]
  const [subject] = carries
  const findLatest = subject === 'release' ? findLatestRelease : findLatestBuild
  const latest = await findLatest(call, applicationId)
  const sampleOf = (kind: keyof EventResources) => ({
    ...eventSamples[kind],
    ...(kind === subject ? { application_id: applicationId } : {}),
  })
  return Object.fromEntries(carries.map((kind) => [kind, latest[kind] ?? sampleOf(kind)]))
}

type Resources = { [Kind in keyof EventResources]?: EventResources[Kind] | undefined }

async function findLatestBuild({ db, config }: Call, applicationId: string): Promise<Resources> {
  const id = await findNewestBuildId(db, applicationId)
  if (id === undefined) return {}
  const build = await requireFullBuild(db, applicationId, id, config)
  return { build, stream: build.stream, label: build.labels[0] }
}

async function findLatestRelease({ db, config }: Call, applicationId: string): Promise<Resources> {
  const id = await findNewestReleaseId(db, applicationId)
  if (id === undefined) return {}
  return { release: await requireFullRelease(db, applicationId, id, config) }
}
