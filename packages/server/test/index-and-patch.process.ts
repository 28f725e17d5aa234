import { join } from 'node:path'
import { pino } from 'pino'
import { readConfig } from '../src/config/config.ts'
import { connectDatabase } from '../src/database/connect.ts'
import { indexBuild } from '../src/features/builds/chunks/index-build.ts'
import { createPatches } from '../src/features/builds/patches/patch-build.job.ts'
import { createPatcher } from '../src/inspection/patching/run-patching.ts'
import { createSystemClock } from '../src/lib/clock.ts'
import { createUploadTurns } from '../src/lib/upload-turns.ts'
import { createLocalDriver } from '../src/storage/local/local-driver.ts'
import { findStoredObject } from '../src/storage/objects/stored-objects.db.ts'

// Computes the chunk index of the build whose ID is the first argument, or its patches if the second is `patches`, in the
// database in DATABASE_URL and the data folder in QUAYSIDE_DATA_DIR. Prints a line before it begins.
const config = readConfig(process.env)
const connection = { connectionString: process.env['DATABASE_URL'] ?? '' }
const clock = createSystemClock()
const log = pino({ level: 'warn' }, pino.destination(2))
const { db, close } = connectDatabase({ connection, maxConnections: 2, log })
const storage = await createLocalDriver({
  directory: join(config.dataDir, 'storage'),
  publicUrl: 'http://localhost',
  secret: 'the master secret of the chunk tests',
  clock,
  log,
  findObject: (key) => findStoredObject(db, key),
  diskReserve: { bytes: 0 },
})
const [buildId = '', work] = process.argv.slice(2)
const { signal } = new AbortController()
process.stdout.write('ready\n')
if (work === 'patches') {
  await createPatches({ db, storage, config, log, patcher: createPatcher({ log }) }, buildId, signal)
} else {
  await indexBuild({ db, storage, log, uploadTurns: createUploadTurns(clock) }, buildId, signal)
}
await storage.close()
await close()
