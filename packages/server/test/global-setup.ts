import { flushCompileCache } from 'node:module'
import { connectDatabase } from '../src/database/connect.ts'
import { startTestServer, templateDatabase, type TestServer } from './postgres-server.ts'

let server: TestServer | undefined

/** Starts one PostgreSQL server per run (`--test-global-setup`) and sets QUAYSIDE_TEST_POSTGRES to its connection. */
export async function globalSetup(): Promise<void> {
  const [started, { createQueue }, { jobs }] = await Promise.all([
    startTestServer(),
    import('../src/jobs/queue.ts'),
    import('../src/jobs.ts'),
    import('../src/app.ts'),
  ])
  server = started
  // Node writes the compile cache at exit. Writing it now lets the first test files and their services use it too.
  flushCompileCache()

  // Copies of the template include the tables of the job queue, so that a service does not create them at each start.
  const connection = { ...server.connection, database: templateDatabase }
  const { db, close } = connectDatabase({ connection, maxConnections: 1, log: console })
  const onError = (error: Error) => console.error(error)
  const queue = createQueue({ connection, onError })
  await queue.start(jobs, { db, isSoleService: false })
  await queue.stop()
  await close()
  process.env['QUAYSIDE_TEST_POSTGRES'] = JSON.stringify(server.connection)
}

export async function globalTeardown(): Promise<void> {
  await server?.stop()
}
