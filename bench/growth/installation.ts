import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../packages/embedded-postgres/src/start.ts'
import { createSeededApplication } from '../builds-data.ts'
import { startService } from '../service.ts'
import { addBuilds, type SeedTimes } from './add-builds.ts'

export type Size = { builds: number; applications: number; workspaces: number }

/** A folder with a seeded service. */
export type Installation = Size & {
  folder: string
  /** The application with most builds and one that has 10,000 builds whatever the size of the service. */
  largest: string
  steady: string
  seeding: SeedTimes
}

/** Settings of the database while it is filled. They only save time; measurements use the settings of the service. */
const loadSettings = {
  autovacuum: 'off',
  checkpoint_timeout: '1h',
  fsync: 'off',
  full_page_writes: 'off',
  maintenance_work_mem: '1GB',
  max_parallel_maintenance_workers: '0',
  max_wal_senders: '0',
  max_wal_size: '4GB',
  shared_buffers: '3GB',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  work_mem: '128MB',
}
const log = { info: () => {}, warn: console.warn, error: console.error }

/** Starts the database of a stopped service. */
export const startDatabaseOf = (folder: string, settings: Record<string, string> = {}) =>
  startEmbeddedPostgres({ dataDir: join(folder, 'data'), name: 'quayside', log, settings })

/** Creates a service of this size in the folder, unless an earlier run has created it. */
export async function createInstallation(folder: string, size: Size): Promise<Installation> {
  const file = join(folder, 'growth.json')
  const existing = await readFile(file, 'utf8').catch(() => undefined)
  if (existing !== undefined) return { ...(JSON.parse(existing) as Installation), folder }

  // With a level of its own, the service is never the one that benchmarks share.
  const service = await startService({ QUAYSIDE_LOG_LEVEL: 'error' }, folder)
  const largest = await createSeededApplication(service, 'Largest')
  const steady = await createSeededApplication(service, 'Steady')
  await service.stop()

  const database = await startDatabaseOf(folder, loadSettings)
  const applications = { largest, steady }
  const seeding = await addBuilds({ ...database, folder: database.dataLocation }, size, applications)
  await database.stop()
  await appendFile(
    join(database.dataLocation, 'postgresql.conf'),
    "\nsession_preload_libraries = 'auto_explain'\n",
  )
  const created = { ...size, folder, ...applications, seeding }
  await writeFile(file, JSON.stringify(created))
  return created
}
