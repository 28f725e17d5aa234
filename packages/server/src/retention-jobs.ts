import { deleteSomeDispatchedEvents } from './events/event.db.ts'
import { deleteSomeExpiredTokenKeys } from './features/api-keys/api-key.db.ts'
import { deleteSomeOldChanges } from './features/changes/change.db.ts'
import { deleteSomeOldMails } from './features/mails/mail.db.ts'
import { deleteSomeOldGuesses } from './features/share-links/share-link-guess.db.ts'
import { deleteSomeSweptUploads } from './features/uploads/pending-upload.db.ts'
import { deleteSomeOldRequests } from './features/webhooks/webhook-request.db.ts'
import { deleteSomeOldKeys } from './http/idempotency.db.ts'
import { deleteSomeOldRateCounts } from './http/rate-count.db.ts'
import { deleteSomeOldReadPositions } from './http/read-position.db.ts'
import { retentionJob } from './jobs/retention-job.ts'
import { deleteSomeOldGuesses as deleteSomeOldSignInGuesses } from './sign-in/guess.db.ts'
import { deleteSomeExpiredSessions, deleteSomeExpiredVerifications } from './sign-in/session.db.ts'

// These jobs delete rows after a fixed time. docs/operating.md lists them for administrators.

/** Deletes events 30 days after they were dispatched. */
export const dropEvents = retentionJob({
  name: 'events.drop',
  schedule: '27 4 * * *',
  keptDays: 30,
  deleteSome: deleteSomeDispatchedEvents,
  log: 'deleted old events',
})

/**
 * Deletes the API keys of CI runs a week after they expire, because they would otherwise clutter the lists of API keys.
 */
export const sweepPublisherKeys = retentionJob({
  name: 'api-keys.sweep-publisher-keys',
  schedule: '41 2 * * *',
  keptDays: 7,
  deleteSome: deleteSomeExpiredTokenKeys,
  log: 'deleted expired keys of CI runs',
})

/**
 * Deletes the entries for deleted resources from the changes feed after 30 days. A request with an older cursor returns
 * 410.
 */
export const dropChanges = retentionJob({
  name: 'changes.drop',
  schedule: '37 4 * * *',
  keptDays: 30,
  deleteSome: deleteSomeOldChanges,
  log: 'deleted old deletions from the changes feed',
})

/** Deletes emails after 30 days, including those that were never sent. */
export const dropMails = retentionJob({
  name: 'mails.drop',
  schedule: '7 4 * * *',
  keptDays: 30,
  deleteSome: deleteSomeOldMails,
  log: 'deleted old emails',
})

/**
 * Deletes aborted and expired uploads 30 days after their bytes are deleted. Until then, clients can query their
 * status.
 */
export const dropUploads = retentionJob({
  name: 'uploads.drop',
  schedule: '47 4 * * *',
  keptDays: 30,
  deleteSome: deleteSomeSweptUploads,
  log: 'deleted old aborted and expired uploads',
})

/** Deletes stored webhook requests after 30 days. */
export const dropWebhookRequests = retentionJob({
  name: 'webhooks.drop-requests',
  schedule: '17 4 * * *',
  keptDays: 30,
  deleteSome: deleteSomeOldRequests,
  log: 'deleted old webhook requests',
})

/** Deletes idempotency keys and their stored responses after 24 hours. */
export const dropIdempotencyKeys = retentionJob({
  name: 'http.drop-idempotency-keys',
  schedule: '29 * * * *',
  keptDays: 1,
  deleteSome: deleteSomeOldKeys,
  log: 'deleted old idempotency keys',
})

/**
 * Deletes the counts of incorrect share link passwords, which include client addresses, a day after the counts expire.
 */
export const dropGuesses = retentionJob({
  name: 'share-links.drop-guesses',
  schedule: '23 * * * *',
  keptDays: 1,
  deleteSome: deleteSomeOldGuesses,
  log: 'deleted old counts of wrong share link passwords',
})

/** Deletes sessions, which include client addresses, a day after they expire. */
export const dropSessions = retentionJob({
  name: 'sign-in.drop-sessions',
  schedule: '33 * * * *',
  keptDays: 1,
  deleteSome: deleteSomeExpiredSessions,
  log: 'deleted expired sessions',
})

/** Deletes the links in emails and the state of unfinished sign-ins a day after they expire. */
export const dropVerifications = retentionJob({
  name: 'sign-in.drop-verifications',
  schedule: '43 * * * *',
  keptDays: 1,
  deleteSome: deleteSomeExpiredVerifications,
  log: 'deleted expired verifications',
})

/**
 * Deletes the counts of failed sign-ins a day after they end. The networks and devices of successful sign-ins are kept
 * for 90 days.
 */
export const dropSignInGuesses = retentionJob({
  name: 'sign-in.drop-guesses',
  schedule: '53 * * * *',
  keptDays: 1,
  deleteSome: deleteSomeOldSignInGuesses,
  log: 'deleted old counts of failed sign-ins',
})

/** Deletes the counts of rate limits, which include client addresses, a day after they end. */
export const dropRateCounts = retentionJob({
  name: 'http.drop-rate-counts',
  schedule: '13 * * * *',
  keptDays: 1,
  deleteSome: deleteSomeOldRateCounts,
  log: 'deleted old counts of rate limits',
})

/** Deletes the positions of callers that have not written for a day. Replicas are never that far behind. */
export const dropReadPositions = retentionJob({
  name: 'http.drop-read-positions',
  schedule: '19 * * * *',
  keptDays: 1,
  deleteSome: deleteSomeOldReadPositions,
  log: 'deleted old positions of the read replica',
})
