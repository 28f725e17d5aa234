import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { databaseUrl } from '../../packages/server/test/database.ts'
import { createState, startOwnService } from '../../packages/server/test/harness.ts'
import { until } from '../../packages/server/test/until.ts'
import { demoSettings } from './demo-settings.ts'
import { startReceiver } from './receiver.ts'
import { seedDemo } from './seed-demo.ts'

const key = 'key-of-the-demo-workspace-0123456789'

type Prepared = { database: string } | { error: string }

/**
 * Returns a copy of the small demo for one service. The first test process of a run that calls this creates the demo,
 * which takes longer than most test files. Returns undefined if only one process of the run needs the demo.
 */
export async function copyPreparedDemo(): Promise<Awaited<ReturnType<typeof createState>> | undefined> {
  const folder = process.env['QUAYSIDE_TEST_DEMO']
  if (folder === undefined) return undefined
  if (await isFirst(folder)) await prepare(folder)
  const prepared = await until('the demo is prepared', () => findPrepared(folder), { withinMs: 600_000 })
  if ('error' in prepared) throw new Error(`The demo could not be created: ${prepared.error}`)
  return createState({ database: prepared.database, dataDir: dataFolderIn(folder) })
}

const dataFolderIn = (folder: string): string => join(folder, 'data')
const resultIn = (folder: string): string => join(folder, 'prepared.json')

const isFirst = (folder: string): Promise<boolean> =>
  mkdir(join(folder, 'claimed')).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false
      throw error
    },
  )

/** Creates the demo, and reports its database or the error to all processes of the run. */
async function prepare(folder: string): Promise<void> {
  const prepared = await createDemo(folder).catch((error: unknown): Prepared => ({ error: String(error) }))
  const draft = `${resultIn(folder)}.draft`
  await writeFile(draft, JSON.stringify(prepared))
  await rename(draft, resultIn(folder))
}

async function createDemo(folder: string): Promise<Prepared> {
  const receiver = await startReceiver()
  const service = await startOwnService({
    environment: { ...demoSettings, QUAYSIDE_BOOTSTRAP_KEY: key },
    sendsWebhooks: true,
  })
  try {
    await seedDemo({
      url: service.url,
      key,
      databaseUrl: databaseUrl(service.state.connection),
      receiverUrl: receiver.url,
      size: 'small',
    })
  } finally {
    await service.stop()
    await receiver.close()
  }
  await rename(service.dataDir, dataFolderIn(folder))
  return { database: service.state.connection.database }
}

const findPrepared = (folder: string): Promise<Prepared | undefined> =>
  readFile(resultIn(folder), 'utf8').then(
    (text) => JSON.parse(text) as Prepared,
    () => undefined,
  )
