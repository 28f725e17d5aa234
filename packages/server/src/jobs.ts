import { dropEvents } from './events/delete-old-events.job.ts'
import { sweepPublisherKeys } from './features/api-keys/delete-expired-keys.job.ts'
import { purgeApplications } from './features/applications/purge-applications.job.ts'
import { inspectArtifact } from './features/builds/artifacts/inspect-artifact.job.ts'
import { expireBuilds } from './features/builds/expire-builds.job.ts'
import { hashFile } from './features/builds/files/hash-file.job.ts'
import { inspectBuild, inspectOverdueBuilds } from './features/builds/inspection/inspect-build.job.ts'
import { rereadBuilds } from './features/builds/inspection/reread-builds.job.ts'
import { dropPatches } from './features/builds/patches/delete-old-patches.job.ts'
import { patchBuild } from './features/builds/patches/patch-build.job.ts'
import { purgeBuilds } from './features/builds/purge-builds.job.ts'
import { countBuilds } from './features/builds/totals/count-builds.job.ts'
import { dropViews } from './features/builds/views/delete-old-views.job.ts'
import { dropChanges } from './features/changes/delete-old-changes.job.ts'
import { dropRequestCounts } from './features/channels/adoption/delete-old-counts.job.ts'
import { sweepCustomStores } from './features/custom-stores/sweep-custom-stores.job.ts'
import { sendDigests } from './features/distribution-groups/send-digests.job.ts'
import { dropDeviceRegistrations } from './features/installs/delete-old-registrations.job.ts'
import { dropMails } from './features/mails/delete-old-mails.job.ts'
import { sendMail } from './features/mails/send-mail.job.ts'
import { addAccessRequest } from './features/members/access-requests/add-access-request.job.ts'
import { dropAccessRequests } from './features/members/access-requests/delete-old-access-requests.job.ts'
import { dropNotifications } from './features/notifications/delete-old-notifications.job.ts'
import { sendNotificationChats } from './features/notifications/send-notification-chats.job.ts'
import { sendNotificationEmails } from './features/notifications/send-notification-emails.job.ts'
import { dropPortalCodes, dropPortalSessions } from './features/portals/pages/delete-old-codes.job.ts'
import { purgeSample } from './features/sample-application/purge-sample.job.ts'
import { dropGuesses } from './features/share-links/delete-old-guesses.job.ts'
import { dropStatistics } from './features/statistics/drop-statistics.job.ts'
import { mergeStatistics } from './features/statistics/merge-statistics.job.ts'
import { moveBuilds } from './features/streams/move-builds.job.ts'
import { dropUploads } from './features/uploads/delete-old-uploads.job.ts'
import { expireUploads } from './features/uploads/expire-uploads.job.ts'
import { sweepOrphans } from './features/uploads/sweep-orphans.job.ts'
import { checkWebhookSecrets } from './features/webhooks/check-secrets.job.ts'
import { dropWebhookRequests } from './features/webhooks/delete-old-requests.job.ts'
import { dropIdempotencyKeys } from './http/idempotency/delete-old-keys.job.ts'
import { dropRateCounts } from './http/limits/delete-old-rate-counts.job.ts'
import { dropReadPositions } from './http/replica/delete-old-read-positions.job.ts'
import type { Job } from './jobs/job.ts'
import { dropSessions, dropSignInGuesses, dropVerifications } from './sign-in/delete-expired-sign-ins.job.ts'
import { deleteMarked } from './storage/objects/delete-marked-objects.job.ts'
import { markUnreferenced } from './storage/objects/mark-unreferenced.job.ts'

export const jobs: readonly Job<never>[] = [
  hashFile,
  inspectBuild,
  inspectOverdueBuilds, // hourly
  rereadBuilds, // every minute: reads the files of builds again that an earlier version has read
  inspectArtifact,
  patchBuild,
  sendMail,
  addAccessRequest,
  sendDigests, // every minute
  sendNotificationChats, // every minute
  sendNotificationEmails, // every minute
  countBuilds, // every minute
  mergeStatistics, // every minute
  checkWebhookSecrets, // hourly: finds weak secrets that earlier versions accepted
  moveBuilds, // when a stream is deleted, and every minute to finish pending moves
  // Data retention: docs/operating.md lists how long each kind of data is kept.
  expireUploads, // every 5 minutes
  expireBuilds, // hourly: moves builds to the trash according to the retention settings
  purgeBuilds, // hourly: deletes builds whose time in the trash has ended
  purgeApplications, // hourly: deletes applications whose time in the trash has ended
  purgeSample, // when the sample application is deleted
  deleteMarked, // hourly: deletes the bytes of stored files a week after they were marked for deletion
  sweepCustomStores, // hourly: deletes what was sent to custom stores too late, and the settings of unused stores
  dropIdempotencyKeys, // hourly
  dropPatches, // hourly: 30 days after they were created
  dropViews, // hourly: a day after people have deleted them
  dropAccessRequests, // hourly: a day after they were decided, and after 30 days
  dropDeviceRegistrations, // hourly: a day after the device has answered
  dropGuesses, // hourly
  dropPortalCodes, // hourly
  dropPortalSessions, // hourly
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
  dropRequestCounts, // nightly
  dropMails, // nightly
  dropNotifications, // nightly
  dropWebhookRequests, // nightly
  dropEvents, // nightly
  dropUploads, // nightly
]

/** Scheduled jobs of earlier versions. Their schedules are deleted, because nothing runs these jobs any more. */
export const retiredSchedules: readonly string[] = [
  'releases.publish-overdue',
  'builds.inspect-overdue-artifacts',
]
