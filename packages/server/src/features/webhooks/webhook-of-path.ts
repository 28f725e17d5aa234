import type { Db } from '../../database/transaction.ts'
import type { Actor } from '../../http/actor.ts'
import { requireApplication } from '../applications/application.db.ts'
import { requireWebhookRequest } from './webhook-request.db.ts'
import { requireWebhook } from './webhook.db.ts'

type Call = { db: Db; actor: Actor }

/** The `visible` step of every endpoint below one webhook. */
export async function requireWebhookOfPath({
  db,
  actor,
  params,
}: Call & { params: { application_id: string; webhook_id: string } }) {
  const application = await requireApplication(db, actor, params.application_id)
  return { application, webhook: await requireWebhook(db, application.id, params.webhook_id) }
}

/** … and of those below one of its requests. */
export async function requireWebhookRequestOfPath(
  call: Call & { params: { application_id: string; webhook_id: string; webhook_request_id: string } },
) {
  const { application, webhook } = await requireWebhookOfPath(call)
  const request = await requireWebhookRequest(call.db, webhook.id, call.params.webhook_request_id)
  return { application, webhook, request }
}
