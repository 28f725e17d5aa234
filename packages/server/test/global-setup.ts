import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { flushCompileCache } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connectDatabase } from '../src/database/connect.ts'
import { type ServerConnection, startTestServer, type TestServer } from './postgres-server.ts'
import { missingS3Server, startS3Server } from './s3-server.ts'

const buildScript = join(import.meta.dirname, '../../../scripts/build.ts')

let server: TestServer | undefined
let parent: string | undefined
let demoFolder: string | undefined
let s3Server: Awaited<ReturnType<typeof startS3Server>> | undefined

/**
 * Starts one PostgreSQL server per run (`--test-global-setup`) and sets QUAYSIDE_TEST_POSTGRES to its connection. If
 * the run includes acceptance tests, sets QUAYSIDE_TEST_DATA_FOLDER to a data folder that they copy, because a copy
 * takes far less time than creating a database.
 */
export async function globalSetup(): Promise<void> {
  const storesInS3 = process.env['QUAYSIDE_TEST_STORAGE'] === 's3'
  const isS3Needed = storesInS3 || (includesTests('s3-') && missingS3Server === false)
  // Many tests upload parts of a few bytes, which AWS and Ceph reject by default. Parts of one byte are still rejected.
  const isS3Running = process.env['QUAYSIDE_TEST_S3'] !== undefined
  if (isS3Needed && !isS3Running) s3Server = await startS3Server(storesInS3 ? { minPartBytes: 2 } : {})
  // Tests wait for the server themselves unless all services need it.
  s3Server?.ready.catch((error: unknown) => console.error(error))
  const copyTo = await findDataFolder()
  // The test files run in parallel, so they cannot each build the console, the command line and the inspection.
  const usesBuild = includesTests('packages-', 'packages/')
  const built = usesBuild ? promisify(execFile)(process.execPath, [buildScript]) : undefined
  const modules = Promise.all([
    import('../src/jobs/queue.ts'),
    import('../src/jobs.ts'),
    import('../src/app.ts'),
  ])
  // Copies of the template include the tables of the job queue, so that a service does not create them at each start.
  const complete = async (connection: ServerConnection) => {
    const [{ createQueue }, { jobs }] = await modules
    const { db, close } = connectDatabase({ connection, maxConnections: 1, log: console })
    const onError = (error: Error) => console.error(error)
    // Every copy of the template would contain a job that was enqueued at its scheduled time.
    const queue = createQueue({ connection, onError, schedulesJobs: false })
    await queue.start(jobs, { db, isSoleService: false })
    await queue.stop()
    await close()
  }
  server = await startTestServer({ complete, copyTo })
  await built
  if (storesInS3) await s3Server?.ready
  // Node writes the compile cache at exit. Writing it now lets the first test files and their services use it too.
  flushCompileCache()
  process.env['QUAYSIDE_TEST_POSTGRES'] = JSON.stringify(server.connection)
  if (s3Server !== undefined) process.env['QUAYSIDE_TEST_S3'] = JSON.stringify(s3Server.server)
  if (copyTo !== undefined) process.env['QUAYSIDE_TEST_DATA_FOLDER'] = copyTo
  // Copies share no files in S3. In a single process, seeding the demo only when a file needs it takes less time.
  if (!storesInS3 && countTests('packages-web-test', 'packages/web/test/', 'demo.ci') > 1) {
    demoFolder = await mkdtemp(join(tmpdir(), 'quayside-demo-'))
    process.env['QUAYSIDE_TEST_DEMO'] = demoFolder
  }
}

export async function globalTeardown(): Promise<void> {
  await server?.stop()
  await s3Server?.stop()
  for (const folder of [parent, demoFolder])
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
}

/** Returns whether the run includes test files whose path contains one of these strings. */
const includesTests = (...parts: string[]): boolean => countTests(...parts) > 0

const countTests = (...parts: string[]): number =>
  process.argv.filter((argument) => parts.some((part) => argument.includes(part))).length

async function findDataFolder(): Promise<string | undefined> {
  if (!includesTests('acceptance')) return undefined
  parent = await mkdtemp(join(tmpdir(), 'quayside-data-'))
  return join(parent, 'data')
}
