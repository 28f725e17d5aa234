import { setTimeout as pause } from 'node:timers/promises'
import { inTransaction, type Db } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { hasUndispatchedEvents, takeUndispatchedEvents } from '../../events/event.db.ts'
import { recordEvent } from '../../events/record-event.ts'
import { ForbiddenAddress, type Poster } from '../../lib/outgoing.ts'
import { version } from '../../version.ts'
import { retryDelaySeconds } from './retry-delay.ts'
import {
  cancelWaitingRequests,
  claimDeliveries,
  insertRequestsForEvents,
  recordDelivery,
  recordFailedAttempt,
  releaseDeliveries,
  type Attempt,
  type Delivery,
} from './webhook-delivery.db.ts'
import { webhookSecretContext } from './webhook-secret.db.ts'
import { signatureHeaders } from './webhook-signature.ts'
import { findWebhook } from './webhook.db.ts'
import { webhookAuditSnapshot } from './webhook.ts'

const pollMs = 500
const pauseAfterErrorMs = 2_000
const maxAttemptMs = 15_000
const stopGraceMs = 3_000
const eventsPerBatch = 500
const maxResponseBytes = 16 * 1024
const maxInProgress = 384
// A webhook whose receiver does not respond occupies only a few connections. While webhooks whose last attempt failed
// occupy a third of all connections, no more attempts are started for them, so that they do not delay the others.
const maxPerWebhook = 6
const maxPerFailingWebhook = 2
const maxFailing = maxInProgress / 3
const gone = 410

type SenderDeps = Pick<Deps, 'db' | 'log' | 'secretBox'> & { poster: Poster }

export type WebhookSender = {
  /** Waits a few seconds for attempts in progress, then cancels them. Another sender repeats canceled attempts. */
  stop(): Promise<void>
}

/**
 * Starts sending webhook requests, each at least once: creates the requests for new events, makes the attempts that are
 * due and records their outcome. Any number of nodes can send requests from the same database.
 */
export function startWebhookSender(deps: SenderDeps): WebhookSender {
  const { db, log } = deps
  const stopping = new AbortController()
  const canceling = new AbortController()
  const inProgress = new Map<string, { delivery: Delivery; done: Promise<void> }>()
  let wake = () => {}

  /** Starts the attempts that are due. Returns the number of attempts started. */
  async function startDue(): Promise<number> {
    const limit = maxInProgress - inProgress.size
    if (limit <= 0) return 0
    const counts: Record<string, number> = {}
    let failing = 0
    for (const { delivery } of inProgress.values()) {
      counts[delivery.webhook_id] = (counts[delivery.webhook_id] ?? 0) + 1
      if (delivery.is_failing) failing++
    }
    const deliveries = await claimDeliveries(db, {
      limit,
      inProgress: counts,
      maxPerWebhook,
      maxPerFailingWebhook,
      includeFailing: failing < maxFailing,
    })
    for (const delivery of deliveries) {
      const done = deliver(deps, delivery, canceling.signal)
        .catch((error: unknown) => log.warn({ err: error, id: delivery.id }, 'webhook attempt not recorded'))
        .finally(() => {
          inProgress.delete(delivery.id)
          wake()
        })
      inProgress.set(delivery.id, { delivery, done })
    }
    return deliveries.length
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const awake = new Promise<void>((resolve) => (wake = resolve))
      try {
        const dispatched = await dispatchEvents(db)
        const started = await startDue()
        if (dispatched > 0 || started > 0) continue
        await Promise.race([awake, waitFor(pollMs, stopping.signal)])
      } catch (error) {
        log.warn({ err: error }, 'webhook requests are delayed')
        await waitFor(pauseAfterErrorMs, stopping.signal)
      }
    }
  }

  const running = run()
  return {
    async stop() {
      stopping.abort()
      wake()
      await running
      const timer = setTimeout(() => canceling.abort(), stopGraceMs)
      await Promise.all([...inProgress.values()].map(({ done }) => done))
      clearTimeout(timer)
    },
  }
}

/** Creates the requests for the oldest events that are not dispatched. Returns the number of events. */
async function dispatchEvents(db: Db): Promise<number> {
  if (!(await hasUndispatchedEvents(db))) return 0
  return inTransaction(db, async (tx) => {
    const ids = await takeUndispatchedEvents(tx, eventsPerBatch)
    await insertRequestsForEvents(tx, ids)
    return ids.length
  })
}

const waitFor = (ms: number, signal: AbortSignal): Promise<void> =>
  pause(ms, undefined, { signal }).catch(() => {})

async function deliver(deps: SenderDeps, delivery: Delivery, canceled: AbortSignal): Promise<void> {
  const { db } = deps
  const attempt = await makeAttempt(deps, delivery, canceled)
  if (attempt.code === null && canceled.aborted) return releaseDeliveries(db, [delivery.id])
  if (attempt.code !== null && attempt.code >= 200 && attempt.code < 300)
    return recordDelivery(db, delivery, attempt)
  const isGone = attempt.code === gone
  const delay = retryDelaySeconds(delivery.delivery_attempts, {
    header: attempt.headers?.['retry-after'],
    nowMs: Date.now(),
  })
  await inTransaction(db, async (tx) => {
    const before = await findWebhook(tx, delivery.webhook_id)
    const { isDeactivated } = await recordFailedAttempt(tx, delivery, attempt, {
      retryAfterSeconds: delay,
      isGone,
    })
    if (!isDeactivated || before === undefined) return
    await cancelWaitingRequests(tx, delivery.webhook_id)
    const actor = { via: 'system', keyId: null, name: 'Webhooks', workspaceId: before.workspace_id } as const
    const snapshot = webhookAuditSnapshot(before)
    await recordEvent(
      tx,
      { actor, address: null },
      {
        action: 'webhook.updated',
        applicationId: before.application_id,
        subject: { type: 'webhook', id: before.id },
        before: snapshot,
        after: { ...snapshot, is_active: false },
      },
    )
  })
}

async function makeAttempt(
  { poster, secretBox }: SenderDeps,
  { webhook_id, url, ...delivery }: Delivery,
  canceled: AbortSignal,
): Promise<Attempt> {
  const { id, event } = delivery.request_payload
  const json = JSON.stringify(delivery.request_payload)
  const body = delivery.format === 'form' ? new URLSearchParams({ payload: json }).toString() : json
  const timestamp = Math.floor(Date.now() / 1000)
  const requestHeaders = {
    'content-type':
      delivery.format === 'form' ? 'application/x-www-form-urlencoded' : 'application/json; charset=utf-8',
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
  const signal = AbortSignal.any([AbortSignal.timeout(maxAttemptMs), canceled])
  const startedAt = performance.now()
  try {
    const {
      status,
      headers: received,
      text,
    } = await poster.post(url, {
      headers,
      body,
      maxBytes: maxResponseBytes,
      signal,
    })
    const durationMs = performance.now() - startedAt
    // PostgreSQL cannot store NUL characters.
    const storable = (value: string) => value.replaceAll('\0', '\uFFFD')
    const recorded = Object.entries(received).filter(([name]) => name !== 'set-cookie')
    const responseHeaders = Object.fromEntries(recorded.map(([name, value]) => [name, storable(value)]))
    return {
      durationMs,
      requestHeaders,
      code: status,
      headers: responseHeaders,
      payload: storable(text),
      error: null,
    }
  } catch (error) {
    const durationMs = performance.now() - startedAt
    return { durationMs, requestHeaders, code: null, headers: null, payload: null, error: reasonOf(error) }
  }
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before a response was received.',
  UND_ERR_SOCKET: 'The connection was closed before a response was received.',
  EPIPE: 'The connection was closed before a response was received.',
  ENOTFOUND: 'The host name does not exist.',
  EAI_AGAIN: 'The host name could not be resolved.',
  EHOSTUNREACH: 'The host is unreachable.',
  ENETUNREACH: "The host's network is unreachable.",
  ETIMEDOUT: 'The connection timed out.',
  UND_ERR_CONNECT_TIMEOUT: 'The connection timed out.',
  CERT_HAS_EXPIRED: 'The TLS certificate of the host has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The TLS certificate is for another host name.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The TLS certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The TLS certificate chain contains a self-signed certificate.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The TLS certificate could not be verified.',
  UND_ERR_HEADERS_OVERFLOW: 'The response headers are too large.',
}

/** Returns the reason why no response was received, as a sentence. */
function reasonOf(error: unknown): string {
  if (error instanceof ForbiddenAddress)
    return 'The host has no public address. The operator can allow private addresses with QUAYSIDE_WEBHOOK_ALLOW_PRIVATE.'
  const { code, name, cause } = error as { code?: unknown; name?: unknown; cause?: unknown }
  if (name === 'TimeoutError') return `No response was received within ${maxAttemptMs / 1000} s.`
  if (typeof code === 'string' && reasons[code] !== undefined) return reasons[code]
  if (cause !== undefined && cause !== null) return reasonOf(cause)
  return typeof code === 'string' && code.startsWith('HPE_')
    ? 'The response is not a valid HTTP response.'
    : 'The request could not be sent.'
}
