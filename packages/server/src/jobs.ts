import { sweepPublisherKeys } from './features/api-keys/sweep-publisher-keys.job.ts'
import { expireBuilds } from './features/builds/expire-builds.job.ts'
import { hashFile } from './features/builds/hash-file.job.ts'
import { sendMail } from './features/mails/send-mail.job.ts'
import { expireUploads } from './features/uploads/expire-uploads.job.ts'
import { sweepOrphans } from './features/uploads/sweep-orphans.job.ts'
import type { Job } from './jobs/job.ts'

/** Every background job. */
export const jobs: readonly Job<never>[] = [
  sweepPublisherKeys,
  hashFile,
  sendMail,
  expireUploads,
  sweepOrphans,
  expireBuilds,
]
