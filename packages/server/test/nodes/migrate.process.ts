import { connectDatabase } from '../../src/database/connect.ts'
import { migrate } from '../../src/database/schema/migrate.ts'

// Applies the migrations of a folder to a database, as a starting node does.
const [, , url = '', folder = ''] = process.argv
const { pool, close } = connectDatabase({
  connection: { connectionString: url },
  maxConnections: 1,
  log: { warn: () => {} },
})
await migrate(pool, folder)
await close()
