import { retentionJob } from '../../jobs/retention-job.ts'
import { deleteSomeDeviceRegistrations } from './device-registration.db.ts'

/** Deletes completed registrations, which can no longer be repeated because they have expired. */
export const dropDeviceRegistrations = retentionJob({
  name: 'installs.drop-registrations',
  schedule: '41 * * * *',
  keptDays: 1,
  deleteSome: deleteSomeDeviceRegistrations,
  log: 'deleted old device registrations',
})
