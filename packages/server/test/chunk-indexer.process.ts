import { join } from 'node:path'
import { pino } from 'pino'
import { connectDatabase } from '../src/database/connect.ts'
import { indexBuild } from '../src/features/builds/chunks/index-build.ts'
import { createSystemClock } from '../src/lib/clock.ts'
import { createLocalDriver } from '../src/storage/local/local-driver.ts'
import { findStoredObject } from '../src/storage/objects/stored-objects.db.ts'

// Computes the chunk indexes of the builds whose IDs are the arguments, in the database in DATABASE_URL and the data
// folder in QUAYSIDE_DATA_DIR. Prints a line before it begins.
const connection = { connectionString: process.env['DATABASE_URL'] ?? '' }
const log = pino({ level: 'warn' }, pino.destination(2))
const { db, close } = connectDatabase({ connection, maxConnections: 2, log })
const storage = await createLocalDriver({
  directory: join(process.env['QUAYSIDE_DATA_DIR'] ?? '', 'storage'),
  publicUrl: 'http://localhost',
  secret: 'the master secret of the chunk tests',
  clock: createSystemClock(),
  log,
  findObject: (key) => findStoredObject(db, key),
  diskReserve: { bytes: 0 },
})
process.stdout.write('ready\n')
for (const id of process.argv.slice(2))
  await indexBuild({ db, storage, log }, id, new AbortController().signal)
await storage.close()
await close()
