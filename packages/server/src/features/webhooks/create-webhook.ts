import { Type } from 'typebox'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { one } from '../../http/answers.ts'
import { descriptionFrom } from '../../http/changes.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { requireApplicationOfPath, requireApplicationLock } from '../applications/application.db.ts'
import {
  goneMeanwhile,
  requireFitting,
  requireLabelWish,
  requireStreamWish,
  requireWebhookUrl,
} from './webhook-subscription.ts'
import { findActiveWebhookCount, insertWebhook, requireWebhook } from './webhook.db.ts'
import {
  mostActive,
  NewWebhook,
  SingleWebhook,
  singleWebhookResource,
  tooManyActive,
  webhookFacts,
} from './webhook.ts'

export const createWebhook = endpoint({
  method: 'POST',
  path: '/applications/:application_id/webhooks',
  scope: { workspace: 'webhooks:create', application: 'webhooks:create' },
  summary: 'Create a webhook',
  description: `An application has at most ${mostActive} active ones.`,
  params: Type.Object({ application_id: ApplicationId }),
  body: NewWebhook,
  status: 201,
  returns: one(SingleWebhook),
  visible: requireApplicationOfPath,
  async handle({ application, body, ...call }) {
    const owner = { applicationId: application.id, workspaceId: application.workspace_id }
    const { event, format = 'json', secret = null, is_active = true } = body
    const id = uuidV7()
    const url = requireWebhookUrl(body.url)
    const sealed = secret === null ? null : call.secretBox.seal(secret, `webhook ${id}`)
    const insert = async (tx: Tx) => {
      await requireApplicationLock(tx, application.id)
      const narrowed = {
        ...(await requireStreamWish(tx, owner, body.stream ?? null)),
        ...(await requireLabelWish(tx, owner, body.label ?? null)),
      }
      requireFitting(event, narrowed.stream_id)
      if (is_active && (await findActiveWebhookCount(tx, application.id)) >= mostActive) throw tooManyActive()
      await insertWebhook(tx, {
        id,
        workspace_id: application.workspace_id,
        application_id: application.id,
        ...narrowed,
        url,
        event,
        description: descriptionFrom(body.description),
        format,
        is_active,
        secret_encrypted: sealed,
      })
      const row = await requireWebhook(tx, application.id, id)
      await recordEvent(tx, call, {
        action: 'webhook.created',
        applicationId: application.id,
        subject: { type: 'webhook', id },
        after: webhookFacts(row),
      })
      return row
    }
    const webhook = await conflictsAs(goneMeanwhile(body), () => inTransaction(call.db, insert))
    return { message: 'Webhook created.', data: singleWebhookResource(webhook, undefined) }
  },
})
