import { dropEvents } from './events/drop-events.job.ts'
import { sweepPublisherKeys } from './features/api-keys/sweep-publisher-keys.job.ts'
import { purgeApplications } from './features/applications/purge-applications.job.ts'
import { countBuilds } from './features/builds/count-builds.job.ts'
import { expireBuilds } from './features/builds/expire-builds.job.ts'
import { hashFile } from './features/builds/hash-file.job.ts'
import { purgeBuilds } from './features/builds/purge-builds.job.ts'
import { dropMails } from './features/mails/drop-mails.job.ts'
import { sendMail } from './features/mails/send-mail.job.ts'
import { moveBuilds } from './features/streams/move-builds.job.ts'
import { dropUploads } from './features/uploads/drop-uploads.job.ts'
import { expireUploads } from './features/uploads/expire-uploads.job.ts'
import { sweepOrphans } from './features/uploads/sweep-orphans.job.ts'
import { dropWebhookRequests } from './features/webhooks/drop-webhook-requests.job.ts'
import { dropIdempotencyKeys } from './http/drop-idempotency-keys.job.ts'
import type { Job } from './jobs/job.ts'
import { markForgotten } from './storage/mark-forgotten.job.ts'
import { removeDeleted } from './storage/remove-deleted.job.ts'

/** Every background job. */
export const jobs: readonly Job<never>[] = [
  hashFile,
  sendMail,
  countBuilds, // every minute
  moveBuilds, // at once, and every minute what was left
  // what time removes: docs/operating.md says how long what is kept
  expireUploads, // every 5 minutes
  expireBuilds, // hourly: retention
  purgeBuilds, // hourly: the trash
  purgeApplications, // hourly: the trash
  removeDeleted, // hourly: bytes, a week after their rows
  dropIdempotencyKeys, // hourly
  sweepPublisherKeys, // nightly
  sweepOrphans, // nightly
  markForgotten, // nightly
  dropMails, // nightly
  dropWebhookRequests, // nightly
  dropEvents, // nightly
  dropUploads, // nightly
]
