import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { connectDatabase } from '../packages/server/src/database/connect.ts'
import { shortId, uuidV7 } from '../packages/server/src/lib/ids.ts'
import { syncFolder } from '../packages/server/src/storage/local-layout.ts'
import type { BareLoad } from './bare-cycle.ts'

const load = JSON.parse(await text(process.stdin)) as BareLoad
const { folder, connection, transactions, freshIds, clients, seconds } = load
const [received, staged, sealed] = transactions
if (received === undefined || staged === undefined || sealed === undefined || transactions.length > 3)
  throw new Error(`a cycle commits three transactions, not ${transactions.length}`)
const content = Buffer.alloc(load.sizeBytes, 'quayside')
const tmp = join(folder, 'tmp')
const shards = Array.from({ length: 256 }, (_, number) => number.toString(16).padStart(2, '0'))
const parents = ['staging', 'objects'].flatMap((area) => shards.map((shard) => join(folder, area, shard)))
await Promise.all([tmp, ...parents].map((path) => mkdir(path, { recursive: true })))

const log = pino({ level: 'silent' })
const database = connectDatabase({ connection, maxConnections: clients, log })
await Promise.all(Array.from({ length: clients }, () => database.pool.query('select pg_sleep(0.1)')))

const start = performance.now()
const end = start + seconds * 1000
const counts = await Promise.all(Array.from({ length: clients }, () => client()))
console.log(counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - start) / 1000))
await database.close()

async function client(): Promise<number> {
  let count = 0
  do {
    await cycle()
    count++
  } while (performance.now() < end)
  return count
}

/** Six fsyncs and three commits, in the order in which a cycle of the service does them. */
async function cycle(): Promise<void> {
  const ids = new Map(freshIds.map((id) => [id, id.length === 10 ? shortId(10) : uuidV7()]))
  await commit(received ?? [], ids)

  const key = uuidV7()
  const staging = { parent: join(folder, 'staging', key.slice(-2)), folder: '' }
  const objects = { parent: join(folder, 'objects', key.slice(-2)), folder: '' }
  staging.folder = join(staging.parent, key)
  objects.folder = join(objects.parent, key)
  const file = await open(join(tmp, key), 'wx', 0o600)
  await file.write(content)
  await file.sync()
  await file.close()
  await mkdir(staging.folder)
  await rename(join(tmp, key), join(staging.folder, 'part'))
  await Promise.all([staging.folder, staging.parent].map(syncFolder))

  await commit(staged ?? [], ids)
  await rename(staging.folder, objects.folder)
  await Promise.all([objects.folder, objects.parent, staging.parent].map(syncFolder))
  await commit(sealed ?? [], ids)
}

async function commit(writes: BareLoad['transactions'][number], ids: Map<string, string>): Promise<void> {
  const connected = await database.pool.connect()
  await connected.query('begin')
  for (const { text: statement, values } of writes) {
    const { rowCount } = await connected.query(
      statement,
      values.map((value) => value?.replaceAll(/[0-9a-z-]+/g, (word) => ids.get(word) ?? word) ?? null),
    )
    if (rowCount === 0) throw new Error(`nothing was written by: ${statement}`)
  }
  await connected.query('commit')
  connected.release()
}
