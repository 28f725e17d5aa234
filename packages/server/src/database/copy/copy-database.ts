import type pg from 'pg'
import { problem } from '../../lib/problem.ts'
import type { Progress } from '../../lib/progress.ts'
import { pendingMigrations, readMigrations, type AppliedMigration } from '../schema/migration-files.ts'
import { findRefusal, targetOf, type Target } from '../target.ts'
import { openCopySession } from './copy-session.ts'
import { readDatabaseContent, readTable, type QueueSchema } from './database-content.ts'
import { loadDatabase, requireUsable, type CopyResult } from './load-database.ts'

type Options = {
  source: pg.ClientConfig
  target: pg.ClientConfig
  migrationsFolder: string
  queueSchema: QueueSchema
  onProgress: (progress: Progress) => void
}

/**
 * Copies the service's database into an empty one on another server. Reads one snapshot of the source, and leaves the
 * target empty if anything fails. No service may be using either database. Throws a Problem if the target is not empty
 * or is too old, or if the source has not been migrated by this version.
 */
export async function copyDatabase({
  source,
  target: targetConfig,
  migrationsFolder,
  queueSchema,
  onProgress,
}: Options): Promise<CopyResult & { target: Target }> {
  const target = targetOf(targetConfig)
  const reader = await openCopySession(source)
  try {
    const writer = await openCopySession(targetConfig)
    try {
      await reader.query('begin isolation level repeatable read read only')
      const content = await readDatabaseContent(reader, queueSchema)
      await requireUpToDate(content.migrations, migrationsFolder)
      await requireUsable(writer, target)
      const openTable = (table: Parameters<typeof readTable>[1]) => readTable(reader, table)
      const copied = await loadDatabase({
        writer,
        content,
        openTable,
        migrationsFolder,
        queueSchema,
        onProgress,
      })
      return { ...copied, target }
    } catch (error) {
      throw findRefusal(error, target) ?? error
    } finally {
      await writer.end()
    }
  } finally {
    await reader.end()
  }
}

async function requireUpToDate(applied: AppliedMigration[], migrationsFolder: string): Promise<void> {
  if (pendingMigrations(await readMigrations(migrationsFolder), applied).length === 0) return
  throw databaseOutdated()
}

const databaseOutdated = problem(
  'conflict',
  'database.outdated',
  'The database was last used by an earlier version. Start this version once, stop it, and try again.',
)
