import { purgeApplications } from './features/applications/purge-applications.job.ts'
import { countBuilds } from './features/builds/count-builds.job.ts'
import { expireBuilds } from './features/builds/expire-builds.job.ts'
import { hashFile } from './features/builds/hash-file.job.ts'
import { inspectBuild, inspectOverdueBuilds } from './features/builds/inspect-build.job.ts'
import { purgeBuilds } from './features/builds/purge-builds.job.ts'
import { sweepCustomStores } from './features/custom-stores/sweep-custom-stores.job.ts'
import { sendMail } from './features/mails/send-mail.job.ts'
import { publishOverdue, publishScheduled } from './features/releases/publish-scheduled.job.ts'
import { dropStatistics } from './features/statistics/drop-statistics.job.ts'
import { mergeStatistics } from './features/statistics/merge-statistics.job.ts'
import { moveBuilds } from './features/streams/move-builds.job.ts'
import { expireUploads } from './features/uploads/expire-uploads.job.ts'
import { sweepOrphans } from './features/uploads/sweep-orphans.job.ts'
import type { Job } from './jobs/job.ts'
import {
  dropChanges,
  dropEvents,
  dropGuesses,
  dropIdempotencyKeys,
  dropMails,
  dropRateCounts,
  dropReadPositions,
  dropSessions,
  dropSignInGuesses,
  dropUploads,
  dropVerifications,
  dropWebhookRequests,
  sweepPublisherKeys,
} from './retention-jobs.ts'
import { deleteMarked } from './storage/delete-marked-objects.job.ts'
import { markUnreferenced } from './storage/mark-unreferenced.job.ts'

export const jobs: readonly Job<never>[] = [
  hashFile,
  inspectBuild,
  inspectOverdueBuilds, // hourly
  sendMail,
  countBuilds, // every minute
  mergeStatistics, // every minute
  moveBuilds, // when a stream is deleted, and every minute to finish pending moves
  publishScheduled, // at the scheduled time of a release
  publishOverdue, // every minute
  // Data retention: docs/operating.md lists how long each kind of data is kept.
  expireUploads, // every 5 minutes
  expireBuilds, // hourly: moves builds to the trash according to the retention settings
  purgeBuilds, // hourly: deletes builds whose time in the trash has ended
  purgeApplications, // hourly: deletes applications whose time in the trash has ended
  deleteMarked, // hourly: deletes the bytes of stored files a week after they were marked for deletion
  sweepCustomStores, // hourly: deletes what was sent to custom stores too late, and the settings of unused stores
  dropIdempotencyKeys, // hourly
  dropGuesses, // hourly
  dropSessions, // hourly
  dropVerifications, // hourly
  dropSignInGuesses, // hourly
  dropRateCounts, // hourly
  dropReadPositions, // hourly
  sweepPublisherKeys, // nightly
  sweepOrphans, // nightly
  markUnreferenced, // nightly
  dropChanges, // nightly
  dropStatistics, // nightly
  dropMails, // nightly
  dropWebhookRequests, // nightly
  dropEvents, // nightly
  dropUploads, // nightly
]
