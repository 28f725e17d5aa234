import { getConstructionPlans } from 'pg-boss'
import type { QueueSchema } from '../../database/copy/database-content.ts'
import { sizeString } from '../../lib/sizes.ts'
import type { CopiedObjects } from '../../storage/objects/copy-objects.ts'
import type { Terminal } from './command.ts'

// Queue statistics are not copied, because the target lacks their daily partitions and the queue collects them again.
export const queueSchema: QueueSchema = {
  name: 'pgboss',
  sql: getConstructionPlans('pgboss', {}),
  statistics: ['queue_stats', 'warning'],
}

/** Returns a text such as `3 files (1.20 GB)`. */
export function describeFiles({ objects, sizeBytes }: CopiedObjects): string {
  return `${objects} ${objects === 1 ? 'file' : 'files'} (${sizeString(sizeBytes)})`
}

/** Prints the files that are missing or damaged, and returns the exit code. */
export function reportDamage(terminal: Terminal, { damagedPaths }: CopiedObjects, advice: string): number {
  if (damagedPaths.length === 0) return 0
  for (const path of damagedPaths) terminal.report(`quayside-server: ${path} is missing or damaged`)
  terminal.report(`quayside-server: files skipped: ${damagedPaths.length}. ${advice}`)
  return 1
}
