import { getConstructionPlans } from 'pg-boss'
import type { QueueSchema } from '../database/database-content.ts'
import type { CopyProgress } from '../database/load-database.ts'
import { sizeString } from '../lib/sizes.ts'
import type { CopiedObjects } from '../storage/copy-objects.ts'
import type { ObjectProgress } from '../storage/each-object.ts'
import type { Terminal } from './command.ts'

const progressIntervalMs = 5_000

// Queue statistics are not copied, because the target lacks their daily partitions and the queue collects them again.
export const queueSchema: QueueSchema = {
  name: 'pgboss',
  sql: getConstructionPlans('pgboss', {}),
  statistics: ['queue_stats', 'warning'],
}

/**
 * Returns a function that prints each table when it is complete and, every few seconds, the progress of a long step.
 */
export function createCopyProgress(terminal: Terminal): (progress: CopyProgress | ObjectProgress) => void {
  let printedAt = performance.now()
  return (progress) => {
    const now = performance.now()
    const isComplete = 'table' in progress ? progress.rows !== undefined : progress.isComplete
    if (!isComplete && now - printedAt < progressIntervalMs) return
    printedAt = now
    terminal.report(describeProgress(progress))
  }
}

function describeProgress(progress: CopyProgress | ObjectProgress): string {
  if (!('table' in progress))
    return `files: ${progress.objects} of ${progress.totalObjects}, ${sizeString(progress.sizeBytes)} of ${sizeString(progress.totalBytes)}`
  const { table, bytes, rows } = progress
  return `${table}: ${rows === undefined ? `${sizeString(bytes)} so far` : `${rows} rows, ${sizeString(bytes)}`}`
}

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
