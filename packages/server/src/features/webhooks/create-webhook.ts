import { Type } from 'typebox'
import {
  applicationRef,
  requireApplicationLock,
  requireApplicationOfPath,
} from '../../access/application.db.ts'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { descriptionFrom } from '../../http/endpoint/changes.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { defaultFormat } from './webhook-format.ts'
import { webhookSecretContext } from './webhook-secret.db.ts'
import { insertWebhook, requireWebhook } from './webhook.db.ts'
import {
  assertCanAddActiveWebhook,
  assertStreamFits,
  maxActiveWebhooks,
  narrowingColumns,
  narrowingConflicts,
  NewWebhook,
  parseWebhookUrl,
  requireUsableSecret,
  SingleWebhook,
  singleWebhookResource,
  tooManyWebhooks,
  webhookAuditSnapshot,
} from './webhook.ts'

export const createWebhook = endpoint({
  method: 'POST',
  path: '/applications/:application_id/webhooks',
  scope: { workspace: 'webhooks:create', application: 'webhooks:create' },
  summary: 'Create a webhook',
  description: `An application can have at most ${maxActiveWebhooks} active webhooks.`,
  params: Type.Object({ application_id: ApplicationId }),
  body: NewWebhook,
  status: 201,
  refuses: [tooManyWebhooks],
  returns: one(SingleWebhook),
  load: requireApplicationOfPath,
  async handle({ application, body, ...call }) {
    const id = uuidV7()
    const url = parseWebhookUrl(body.url)
    requireUsableSecret(body.secret)
    const { event, format = defaultFormat(url), secret = null, is_active = true } = body
    const sealed = secret === null ? null : call.secretBox.seal(secret, webhookSecretContext(id))
    const insert = async (tx: Tx) => {
      await requireApplicationLock(tx, application.id)
      const narrowedTo = await narrowingColumns(tx, applicationRef(application), body)
      assertStreamFits(event, narrowedTo.stream_id ?? null)
      if (is_active) await assertCanAddActiveWebhook(tx, application.id)
      await insertWebhook(tx, {
        id,
        workspace_id: application.workspace_id,
        application_id: application.id,
        ...narrowedTo,
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
        after: webhookAuditSnapshot(row),
      })
      return row
    }
    const webhook = await conflictsAs(narrowingConflicts(body), () => inTransaction(call.db, insert))
    return { message: 'Webhook created.', data: await singleWebhookResource(call.db, webhook) }
  },
})
