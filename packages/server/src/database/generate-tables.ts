import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectDatabase } from './connect.ts'
import { describeTables } from './describe-tables.ts'
import { startEmbeddedPostgres } from './embedded-postgres/start.ts'
import { migrate } from './migrate.ts'

// `npm run tables`: writes tables.ts anew from the migrations
const dataDir = await mkdtemp(join(tmpdir(), 'quayside-tables-'))
const log = { info: () => {}, warn: () => {}, error: () => {} }
await using cleanUp = new AsyncDisposableStack()
cleanUp.defer(() => rm(dataDir, { recursive: true, force: true }))
const postgres = await startEmbeddedPostgres({ dataDir, log, settings: { fsync: 'off' } })
cleanUp.defer(() => postgres.stop())
const { pool, close } = connectDatabase({ connection: postgres.connection, maxConnections: 1, log })
cleanUp.defer(close)

await migrate(pool, join(import.meta.dirname, '../../migrations'))
await writeFile(join(import.meta.dirname, 'tables.ts'), await describeTables(pool))
