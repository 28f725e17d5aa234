import type { BackupBucket } from './backup-bucket.ts'
import { timeName } from './backup-location.ts'

const dayMs = 24 * 60 * 60 * 1000

/**
 * Deletes the backups in a bucket that are more than `keepDays` old, except the most recent complete one, and the files
 * that no other backup contains. Returns the number of deleted backups.
 */
export async function deleteOldBackups(
  bucket: BackupBucket,
  { keepDays, now }: { keepDays: number; now: Date },
): Promise<number> {
  const oldest = timeName(new Date(now.getTime() - keepDays * dayMs))
  const backups = await bucket.listBackups()
  const latest = backups.findLast(({ isComplete }) => isComplete)?.time
  const old = backups.filter(({ time }) => time < oldest && time !== latest)
  if (old.length === 0) return 0
  for (const { time } of old) await bucket.deleteBackup(time)
  const used = new Set<string>()
  for (const backup of backups) {
    if (old.includes(backup) || !backup.isComplete) continue
    for (const key of ((await bucket.findText(backup.time, 'files')) ?? '').split('\n')) used.add(key)
  }
  for await (const { key, storedAt } of bucket.listFiles())
    // A backup that is not complete yet may have sent the file.
    if (!used.has(key) && now.getTime() - storedAt.getTime() > dayMs) await bucket.deleteFile(key)
  return old.length
}
