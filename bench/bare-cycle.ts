import { randomUUID } from 'node:crypto'
import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { openDatabase, Statement } from './database.ts'

type Pool = ReturnType<typeof openDatabase>['pool']
type Write = { text: string; values: (string[] | null)[] }

const bytes = Buffer.alloc(1024, 'quayside')
const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/** The number of fsyncs in a bare cycle. B5 also counts the service's fsyncs for comparison. */
export const syncsInCycle = 6

/**
 * Prepares a cycle that does only the required work: it runs the write statements in their transactions with new IDs,
 * syncs a file, renames it twice and syncs the folders. It excludes HTTP, reads, checks and checksums.
 */
export async function prepareBareCycle(pool: Pool, folder: string, statements: Statement[], buildId: string) {
  const transactions = writingTransactions(statements, buildId)
  const folders = {
    tmp: join(folder, 'tmp'),
    staging: join(folder, 'staging'),
    objects: join(folder, 'objects'),
  }
  for (const path of Object.values(folders)) await mkdir(path, { recursive: true })
  const [requested, leased, verified] = transactions
  if (requested === undefined || leased === undefined || verified === undefined || transactions.length > 3)
    throw new Error(`expected 3 writing transactions, found ${transactions.length}`)

  const cycle = async (): Promise<void> => {
    const ids = new Map<string, string>()
    const key = randomUUID()
    await commit(pool, requested, ids)
    const temporary = join(folders.tmp, key)
    const file = await open(temporary, 'wx')
    await file.write(bytes)
    await file.sync()
    await file.close()
    const staged = join(folders.staging, key)
    await mkdir(staged)
    await rename(temporary, join(staged, 'part'))
    await Promise.all([staged, folders.staging].map(syncFolder))
    await commit(pool, leased, ids)
    const object = join(folders.objects, key)
    await rename(staged, object)
    await Promise.all([object, folders.objects, folders.staging].map(syncFolder))
    await commit(pool, verified, ids)
  }
  return { cycle, transactions: transactions.length, statements: transactions.flat().length }
}

/** Returns the number of cycles per second that `clients` concurrent clients complete. */
export async function bareCycles(cycle: () => Promise<void>, clients: number, seconds: number) {
  const start = performance.now()
  const end = start + seconds * 1000
  let done = 0
  const client = async () => {
    for (; performance.now() < end; done++) await cycle()
  }
  await Promise.all(Array.from({ length: clients }, client))
  return done / ((performance.now() - start) / 1000)
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  await folder.sync().finally(() => folder.close())
}

/**
 * Returns the transactions that write to the upload. Jobs write at the same time on other connections, for example the
 * inspection of an earlier build, but not to uploads.
 */
export function writingTransactions(statements: Statement[], buildId: string): Write[][] {
  const all: Write[][] = []
  const open = new Map<number, Write[]>()
  for (const { text, values, pid } of statements) {
    if (/^\s*(begin|start transaction)/i.test(text)) {
      const started: Write[] = []
      open.set(pid, started)
      all.push(started)
    }
    if (/^\s*(commit|rollback)/i.test(text)) open.delete(pid)
    if (!/^\s*(insert|update|with)\b/i.test(text)) continue
    // split() keeps captured groups, so the pieces at odd indexes are IDs.
    const ids = new RegExp(`(${uuid}|${buildId})`)
    // The service must not inspect the builds of the bare cycles, which have no files.
    const splitValues = values.map((value) => (value === 'queued' ? 'none' : value)?.split(ids) ?? null)
    // A write outside a transaction is its own transaction.
    const write = { text, values: splitValues }
    const transaction = open.get(pid)
    if (transaction === undefined) all.push([write])
    else transaction.push(write)
  }
  return all.filter((writes) => writes.some(({ text }) => text.includes('"pending_uploads"')))
}

async function commit(pool: Pool, writes: Write[], ids: Map<string, string>): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    for (const { text, values } of writes) {
      const { rowCount } = await client.query(text, values.map(withNewIds))
      if (rowCount === 0) throw new Error(`the bare cycle changed no row: ${text}`)
    }
    await client.query('commit')
  } finally {
    client.release()
  }

  function withNewIds(pieces: string[] | null): string | null {
    if (pieces === null) return null
    return pieces.map((piece, index) => (index % 2 === 1 ? newId(piece) : piece)).join('')
  }

  function newId(id: string): string {
    const known = ids.get(id)
    if (known !== undefined) return known
    const created = id.length === 36 ? randomUUID() : randomUUID().slice(-10)
    ids.set(id, created)
    return created
  }
}
