import { join } from 'node:path'
import { connectDatabase } from '../../src/database/connect.ts'
import { migrate } from '../../src/database/schema/migrate.ts'

// Applies the migrations to the database of the first argument, as a starting node does.
const [, , url = ''] = process.argv
const { pool, close } = connectDatabase({
  connection: { connectionString: url },
  maxConnections: 1,
  log: { warn: () => {} },
})
await migrate(pool, join(import.meta.dirname, '../../migrations'))
await close()
