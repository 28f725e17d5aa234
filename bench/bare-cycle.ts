import { randomUUID } from 'node:crypto'
import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { openDatabase, Statement } from './database.ts'

type Pool = ReturnType<typeof openDatabase>['pool']
type Write = { name: string; text: string; pieces: (string[] | null)[] }

const bytes = Buffer.alloc(1024, 'quayside')
const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/** How often a cycle of the service asks the file system for durability; `b5` counts the real ones beside it. */
export const syncsInCycle = 6

/**
 * What a cycle of the service must at least do: its writing statements in their transactions, with fresh ids, and its
 * file, synced, renamed twice, with the folders synced that this takes. No HTTP, no look-ups, no checks, no checksums.
 */
export async function prepareBareCycle(pool: Pool, folder: string, statements: Statement[], buildId: string) {
  const transactions = writingTransactions(statements, buildId)
  const places = {
    tmp: join(folder, 'tmp'),
    staging: join(folder, 'staging'),
    objects: join(folder, 'objects'),
  }
  for (const place of Object.values(places)) await mkdir(place, { recursive: true })
  const [requested, leased, verified] = transactions
  if (requested === undefined || leased === undefined || verified === undefined || transactions.length > 3)
    throw new Error(`the service writes in ${transactions.length} transactions, not in 3`)

  const cycle = async (): Promise<void> => {
    const ids = new Map<string, string>()
    const key = randomUUID()
    await commit(pool, requested, ids)
    const temporary = join(places.tmp, key)
    const file = await open(temporary, 'wx')
    await file.write(bytes)
    await file.sync()
    await file.close()
    const staged = join(places.staging, key)
    await mkdir(staged)
    await rename(temporary, join(staged, 'part'))
    await Promise.all([staged, places.staging].map(syncFolder))
    await commit(pool, leased, ids)
    const object = join(places.objects, key)
    await rename(staged, object)
    await Promise.all([object, places.objects, places.staging].map(syncFolder))
    await commit(pool, verified, ids)
  }
  return { cycle, transactions: transactions.length, statements: transactions.flat().length }
}

/** Cycles a second, as many at a time. */
export async function bareCycles(
  cycle: () => Promise<void>,
  clients: number,
  seconds: number,
): Promise<number> {
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

function writingTransactions(statements: Statement[], buildId: string): Write[][] {
  const all: Write[][] = []
  let writes: Write[] | undefined
  for (const { text, values } of statements) {
    if (/^\s*(begin|start transaction)/i.test(text)) all.push((writes = []))
    if (/^\s*commit/i.test(text)) writes = undefined
    if (!/^\s*(insert|update|with)\b/i.test(text)) continue
    // split keeps what it captures: pieces at odd places are ids
    const ids = new RegExp(`(${uuid}|${buildId})`)
    const pieces = values.map((value) => value?.split(ids) ?? null)
    // a write outside a transaction is one of its own
    const transaction = writes ?? all[all.push([]) - 1] ?? []
    transaction.push({ name: `bare_${all.length}_${transaction.length}`, text, pieces })
  }
  return all.filter((written) => written.length > 0)
}

async function commit(pool: Pool, writes: Write[], ids: Map<string, string>): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    for (const { name, text, pieces } of writes) {
      const { rowCount } = await client.query({ name, text, values: pieces.map(fresh) })
      if (rowCount === 0) throw new Error(`the bare cycle wrote nothing by: ${text}`)
    }
    await client.query('commit')
  } finally {
    client.release()
  }

  function fresh(parts: string[] | null): string | null {
    if (parts === null) return null
    return parts.map((part, at) => (at % 2 === 1 ? freshId(part) : part)).join('')
  }

  function freshId(id: string): string {
    const known = ids.get(id)
    if (known !== undefined) return known
    const made = id.length === 36 ? randomUUID() : randomUUID().slice(-10)
    ids.set(id, made)
    return made
  }
}
