import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { clusterName, findServerProcesses } from './processes.ts'

const program = fileURLToPath(import.meta.resolve('../test/crash-child.ts'))

type Report = { connection: pg.ClientConfig; serverPid: number }
type Service = Report & { child: ChildProcess }

async function startService(dataDir: string): Promise<Service> {
  const child = spawn(process.execPath, [program, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface({ input: child.stdout }))
    return { child, ...(JSON.parse(line) as Report) }
  throw new Error('the service exited before it was ready')
}

async function stopService({ child }: Service, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal)
  await once(child, 'exit')
}

describe('embedded PostgreSQL after a crash', () => {
  let dataDir: string
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'quayside-killed-'))
  })
  after(() => rm(dataDir, { recursive: true, force: true }))

  test('keeps all acknowledged rows when the service, with or without PostgreSQL, is killed during writes', async () => {
    let service = await startService(dataDir)
    const acknowledged: number[] = []
    const write = async () => {
      const client = new pg.Client(service.connection)
      client.on('error', () => {})
      await client.connect()
      await client.query('create table if not exists rows (n int primary key)')
      for (let n = acknowledged.length; ; n++) {
        await client.query('insert into rows values ($1) on conflict do nothing', [n])
        acknowledged.push(n)
      }
    }
    for (const kill of ['service', 'both', 'service', 'both']) {
      const goal = acknowledged.length + 50
      const writing = assert.rejects(write())
      while (acknowledged.length < goal) await new Promise((resolve) => setTimeout(resolve, 5))
      if (kill === 'both') process.kill(service.serverPid, 'SIGKILL')
      await stopService(service, 'SIGKILL')
      service = await startService(dataDir)
      await writing
      const client = new pg.Client(service.connection)
      await client.connect()
      const { rows } = await client.query<{ n: number }>('select n from rows')
      await client.end()
      const stored = new Set(rows.map(({ n }) => n))
      assert.deepEqual(
        acknowledged.filter((n) => !stored.has(n)),
        [],
      )
    }
    await stopService(service, 'SIGTERM')
    assert.deepEqual(await findServerProcesses(await clusterName(join(dataDir, 'postgres'))), [])
  })
})
