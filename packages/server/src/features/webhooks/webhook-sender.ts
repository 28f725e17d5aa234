import { inTransaction, type Db } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import type { EventStreams } from '../../events/event-streams.ts'
import { hasUndispatchedEvents, takeUndispatchedEvents } from '../../events/event.db.ts'
import { recordEvent } from '../../events/record-event.ts'
import { batched } from '../../lib/batched.ts'
import { createWakeUp } from '../../lib/wake-up.ts'
import { chatFormats, isReceiverGone } from '../../net/chat/chat-format.ts'
import { requestedDelaySeconds, retryDelaySeconds } from '../../net/retry-delay.ts'
import { makeAttempt } from './webhook-attempt.ts'
import {
  cancelWaitingRequests,
  claimDeliveries,
  insertRequestsForEvents,
  recordDeliveries,
  recordFailedAttempt,
  releaseDeliveries,
  type Delivery,
  type Outcome,
} from './webhook-delivery.db.ts'
import { findWebhook } from './webhook.db.ts'
import { webhookAuditSnapshot } from './webhook.ts'

const pollMs = 500
const pauseAfterErrorMs = 2_000
const stopGraceMs = 3_000
const eventsPerBatch = 500
const maxBatch = 200
// Attempts that end within this time share the next claim, because separate claims take longer than the attempts.
const coalesceMs = 4
const maxInProgress = 384
// A webhook whose receiver does not respond occupies only a few connections. While webhooks whose last attempt failed
// occupy a third of all connections, no more attempts are started for them, so that they do not delay the others.
const maxPerWebhook = 6
const maxPerFailingWebhook = 2
const maxFailing = maxInProgress / 3
const tooManyRequests = 429

type SenderDeps = Pick<Deps, 'db' | 'dependents' | 'log' | 'metrics' | 'secretBox' | 'webhookPoster'> & {
  eventStreams: Pick<EventStreams, 'announce'>
}

export type WebhookSender = {
  /** Checks for new events immediately instead of at the next poll. */
  wake(): void
  /** Waits a few seconds for attempts in progress, then cancels them. Another sender repeats canceled attempts. */
  stop(): Promise<void>
}

type Progress = { delivery: Delivery; done: Promise<void>; controller: AbortController }

/**
 * Starts sending webhook requests, each at least once: creates the requests for new events, makes the attempts that are
 * due and records their outcome. Any number of nodes can send requests from the same database.
 */
export function startWebhookSender(deps: SenderDeps): WebhookSender {
  const { db, log } = deps
  const stopping = new AbortController()
  const { wake, pause } = createWakeUp()
  const recovery = createWakeUp()
  const coalesced = coalesceWakeUps(wake)
  const attempts = trackAttempts(coalesced.wakeSoon)
  const record = batched({
    load: (outcomes: Outcome[]) => recordAll(db, outcomes),
    maxBatch,
    maxConcurrency: 1,
  })

  /** Starts the attempts that are due. Returns the number of attempts started. */
  async function startDue(): Promise<number> {
    const deliveries = await claimDue(db, attempts.count())
    for (const delivery of deliveries)
      attempts.start(delivery, (cancellation) =>
        deliver({ ...deps, record }, delivery, cancellation).catch((error: unknown) =>
          log.warn({ err: error, id: delivery.id }, 'webhook attempt not recorded'),
        ),
      )
    return deliveries.length
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const dispatched = await dispatch()
        const started = await startDue()
        if (dispatched > 0 || started > 0) continue
        await pause(pollMs)
      } catch (error) {
        log.warn({ err: error }, 'webhook requests are delayed')
        await recovery.pause(pauseAfterErrorMs)
      }
    }
  }

  const dispatch = createDispatch(deps)
  const running = run()
  return {
    wake,
    async stop() {
      stopping.abort()
      wake()
      recovery.wake()
      await running
      await attempts.finish()
      coalesced.cancel()
    },
  }
}

/** Delays wake-ups shortly, so that attempts that end in the meantime share the next claim. */
function coalesceWakeUps(wake: () => void) {
  let timer: NodeJS.Timeout | undefined
  return {
    wakeSoon(): void {
      timer ??= setTimeout(() => {
        timer = undefined
        wake()
      }, coalesceMs)
    },
    cancel: () => clearTimeout(timer),
  }
}

type Cancellation = { controller: AbortController; isCanceled: () => boolean }

/** Tracks the attempts in progress, which can be canceled together. `onEnd` is called after each. */
function trackAttempts(onEnd: () => void) {
  const inProgress = new Map<string, Progress>()
  let isCanceled = false
  return {
    count() {
      const byWebhook: Record<string, number> = {}
      let failing = 0
      for (const { delivery } of inProgress.values()) {
        byWebhook[delivery.webhook_id] = (byWebhook[delivery.webhook_id] ?? 0) + 1
        if (delivery.is_failing) failing++
      }
      return { total: inProgress.size, byWebhook, failing }
    },
    /** Starts an attempt. `run` must not reject. */
    start(delivery: Delivery, run: (cancellation: Cancellation) => Promise<void>): void {
      const controller = new AbortController()
      const done = run({ controller, isCanceled: () => isCanceled }).finally(() => {
        inProgress.delete(delivery.id)
        onEnd()
      })
      inProgress.set(delivery.id, { delivery, done, controller })
    },
    /** Waits for the attempts in progress, and cancels those that take more than a few seconds. */
    async finish(): Promise<void> {
      const timer = setTimeout(() => {
        isCanceled = true
        for (const { controller } of inProgress.values()) controller.abort()
      }, stopGraceMs)
      await Promise.all([...inProgress.values()].map(({ done }) => done))
      clearTimeout(timer)
    },
  }
}

type Counts = ReturnType<ReturnType<typeof trackAttempts>['count']>

/** Claims attempts that are due, up to the limits on those in progress. */
async function claimDue(db: Db, { total, byWebhook, failing }: Counts): Promise<Delivery[]> {
  const limit = maxInProgress - total
  if (limit <= 0) return []
  return claimDeliveries(db, {
    limit,
    inProgress: byWebhook,
    maxPerWebhook,
    maxPerFailingWebhook,
    maxFailing: Math.max(0, maxFailing - failing),
    serialFormats: chatFormats,
  })
}

class NotificationFailure extends Error {}

/** A failure can be the end of a connection or a conflict, which a repetition does not have. */
const maxNotificationFailures = 2

/**
 * Returns a function that creates the requests and the notifications of members for the oldest events that are not
 * dispatched, and returns the number of events. Events whose notifications cannot be created get only requests.
 */
function createDispatch({ db, dependents, eventStreams, log }: SenderDeps): () => Promise<number> {
  let failures = 0
  return async () => {
    if (!(await hasUndispatchedEvents(db))) return 0
    const { count, created } = await inTransaction(db, async (tx) => {
      const ids = await takeUndispatchedEvents(tx, eventsPerBatch)
      await insertRequestsForEvents(tx, ids)
      if (failures >= maxNotificationFailures) return { count: ids.length, created: 0 }
      const created = await dependents.notifyMembers(tx, ids).catch((cause: unknown) => {
        throw new NotificationFailure('notifications cannot be created', { cause })
      })
      return { count: ids.length, created }
    }).catch((error: unknown) => {
      if (error instanceof NotificationFailure) failures++
      throw error
    })
    if (failures === maxNotificationFailures) log.error({ count }, 'dispatched events without notifications')
    failures = 0
    if (created > 0) eventStreams.announce()
    return count
  }
}

type Failure = { error: unknown }

/** Records the outcomes of successful attempts together or, if this fails, one by one. Returns the errors. */
async function recordAll(db: Db, outcomes: readonly Outcome[]): Promise<(Failure | undefined)[]> {
  const record = (some: readonly Outcome[]) =>
    recordDeliveries(db, some).then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
  const failure = await record(outcomes)
  if (failure === undefined || outcomes.length === 1) return outcomes.map(() => failure)
  const failures = []
  for (const outcome of outcomes) failures.push(await record([outcome]))
  return failures
}

type Recorder = (outcome: Outcome) => Promise<Failure | undefined>

async function deliver(
  deps: SenderDeps & { record: Recorder },
  delivery: Delivery,
  { controller, isCanceled }: Cancellation,
): Promise<void> {
  const { db } = deps
  const attempt = await makeAttempt(deps, delivery, controller)
  if (attempt.code === null && isCanceled()) return releaseDeliveries(db, [delivery.id])
  const isDelivered = attempt.code !== null && attempt.code >= 200 && attempt.code < 300
  deps.metrics.recordWebhookAttempt({ seconds: attempt.durationMs / 1_000, isDelivered })
  if (isDelivered) {
    const failure = await deps.record({ delivery, attempt })
    if (failure !== undefined) throw failure.error
    return
  }
  const isGone = isReceiverGone(delivery.format, attempt.code, attempt.payload)
  const retryAfter = { header: attempt.headers?.['retry-after'], nowMs: Date.now() }
  const delay = retryDelaySeconds(delivery.delivery_attempts, retryAfter)
  const pauseSeconds = attempt.code === tooManyRequests ? requestedDelaySeconds(retryAfter) : 0
  await inTransaction(db, async (tx) => {
    const before = await findWebhook(tx, delivery.webhook_id)
    const { isDeactivated } = await recordFailedAttempt(tx, delivery, attempt, {
      retryAfterSeconds: delay,
      pauseSeconds,
      isGone,
    })
    if (!isDeactivated || before === undefined) return
    await cancelWaitingRequests(tx, delivery.webhook_id)
    const actor = { via: 'system', id: null, name: 'Webhooks', workspaceId: before.workspace_id } as const
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
