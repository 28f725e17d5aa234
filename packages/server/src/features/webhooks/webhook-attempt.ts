import { version } from '../../config/version.ts'
import type { Deps } from '../../deps.ts'
import { post } from '../../net/post.ts'
import type { Attempt, Delivery } from './webhook-delivery.db.ts'
import { encodePayload } from './webhook-format.ts'
import { webhookSecretContext } from './webhook-secret.db.ts'
import { signatureHeaders } from './webhook-signature.ts'

type AttemptDeps = Pick<Deps, 'secretBox' | 'webhookPoster'>

/**
 * Signs a request with the current secret and, during a rotation, also with the previous one. Then sends the request and
 * returns the outcome. Aborting the controller cancels the attempt.
 */
export async function makeAttempt(
  { webhookPoster, secretBox }: AttemptDeps,
  { webhook_id, url, ...delivery }: Delivery,
  controller: AbortController,
): Promise<Attempt> {
  const { event_id: id, event } = delivery
  const { contentType, body } = encodePayload(delivery)
  const startedAt = new Date()
  const timestamp = Math.floor(startedAt.getTime() / 1000)
  const requestHeaders = {
    'content-type': contentType,
    'user-agent': `Quayside/${version}`,
    'x-webhook-event': event,
    'x-webhook-id': id,
    'x-webhook-timestamp': String(timestamp),
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
  }
  const secrets = [delivery.secret_encrypted, delivery.previous_secret_encrypted].flatMap((sealed) =>
    sealed === null ? [] : [secretBox.open(sealed, webhookSecretContext(webhook_id))],
  )
  const headers = { ...requestHeaders, ...signatureHeaders(secrets, { id, timestamp, body }) }
  return { startedAt, requestHeaders, ...(await post(webhookPoster, { url, headers, body }, controller)) }
}
