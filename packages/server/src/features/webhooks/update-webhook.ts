import { Type } from 'typebox'
import { applicationRef, requireApplicationLock } from '../../access/application.db.ts'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import type { EventName } from '../../events/catalogue.ts'
import { recordEvent } from '../../events/record-event.ts'
import { givenChanges } from '../../http/endpoint/changes.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { cancelWaitingRequests } from './webhook-delivery.db.ts'
import { defaultFormat } from './webhook-format.ts'
import { webhookSecretContext } from './webhook-secret.db.ts'
import { requireWebhook, rotateWebhookSecret, saveWebhook, type WebhookRow } from './webhook.db.ts'
import {
  assertCanAddActiveWebhook,
  assertStreamFits,
  narrowingColumns,
  narrowingConflicts,
  parseWebhookUrl,
  requireUsableSecret,
  requireWebhookOfPath,
  SingleWebhook,
  singleWebhookResource,
  tooManyWebhooks,
  webhookAuditSnapshot,
  WebhookChanges,
  WebhookId,
} from './webhook.ts'

export const updateWebhook = endpoint({
  method: 'PATCH',
  path: '/applications/:application_id/webhooks/:webhook_id',
  scope: { workspace: 'webhooks:write', application: 'webhooks:write' },
  summary: 'Update a webhook',
  description:
    'After the secret changes, requests are signed with both the old and the new one for a day. `null` removes both immediately.',
  params: Type.Object({ application_id: ApplicationId, webhook_id: WebhookId }),
  body: WebhookChanges,
  refuses: [tooManyWebhooks],
  returns: one(SingleWebhook),
  load: requireWebhookOfPath,
  async handle({ application, webhook: { id }, body, ...call }) {
    const { secret, stream, label, url, ...settings } = givenChanges(WebhookChanges, body)
    requireUsableSecret(body.secret)
    // givenChanges trims strings, but a secret may start or end with whitespace.
    const sealed =
      typeof body.secret === 'string' ? call.secretBox.seal(body.secret, webhookSecretContext(id)) : null
    const update = async (tx: Tx) => {
      await requireApplicationLock(tx, application.id)
      const before = await requireWebhook(tx, application.id, id)
      const columns = {
        ...(url === undefined ? {} : urlColumns(before, parseWebhookUrl(url))),
        ...settings,
        ...(await narrowingColumns(tx, applicationRef(application), { stream, label })),
      }
      const { event, stream_id } = { ...before, ...columns }
      assertStreamFits(event as EventName, stream_id)
      const isActivated = settings.is_active === true && !before.is_active
      if (isActivated) await assertCanAddActiveWebhook(tx, application.id)
      // Once reactivated, a webhook can again fail for five days before it is deactivated.
      const errorState = isActivated ? { in_error_state: false, failing_since: null } : {}
      await saveWebhook(tx, id, { ...columns, ...errorState })
      if (before.is_active && settings.is_active === false) await cancelWaitingRequests(tx, id)
      if (secret !== undefined) await rotateWebhookSecret(tx, id, sealed)
      const after = await requireWebhook(tx, application.id, id)
      await recordEvent(tx, call, {
        action: 'webhook.updated',
        applicationId: application.id,
        subject: { type: 'webhook', id },
        before: webhookAuditSnapshot(before),
        after: { ...webhookAuditSnapshot(after), ...(secret === undefined ? {} : { secret_changed: true }) },
      })
      return after
    }
    const updated = await conflictsAs(narrowingConflicts(body), () => inTransaction(call.db, update))
    return { message: 'Webhook updated.', data: await singleWebhookResource(call.db, updated) }
  },
})

/** Returns the new URL, and its default format if the webhook had the default format of its previous URL. */
const urlColumns = (before: WebhookRow, url: string) => ({
  url,
  ...(before.format === defaultFormat(before.url) ? { format: defaultFormat(url) } : {}),
})
