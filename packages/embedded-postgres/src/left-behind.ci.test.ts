import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { startEmbeddedPostgres } from './start.ts'

const name = 'embedded_test'
const log = { info: () => {}, warn: () => {}, error: () => {} }
const serviceProgram = fileURLToPath(import.meta.resolve('../test/crash-child.ts'))

type Service = { child: ChildProcess; connection: pg.ClientConfig; serverPid: number }

/** Starts a service in a separate process, using `wrapper` if given. Rejects with its output if it does not start. */
async function startService(dataDir: string, wrapper: string[] = []): Promise<Service> {
  const command = [...wrapper, process.execPath, serviceProgram, dataDir]
  const child = spawn(command[0] as string, command.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  for await (const line of createInterface({ input: child.stdout }))
    return { child, ...(JSON.parse(line) as Omit<Service, 'child'>) }
  throw new Error(errors)
}

async function select1(connection: pg.ClientConfig) {
  const client = new pg.Client(connection)
  await client.connect()
  return (await client.query<{ one: number }>('select 1 as one').finally(() => client.end())).rows[0]?.one
}

const exitOf = (child: ChildProcess) =>
  child.exitCode === null && child.signalCode === null ? once(child, 'exit') : Promise.resolve()

describe('startup in a data folder that is or was in use', () => {
  let parent: string
  let dataDir: string
  const start = () => startEmbeddedPostgres({ dataDir, name, log })
  before(async () => {
    parent = await mkdtemp(join(tmpdir(), 'quayside-left-'))
    dataDir = join(parent, 'data')
    await (await start()).stop()
  })
  after(() => rm(parent, { recursive: true, force: true }))

  const remnants: { what: string; text: string }[] = [
    { what: 'are empty', text: '' },
    { what: 'are truncated', text: '4' },
    { what: 'contain only zeros', text: '\0'.repeat(60) },
    { what: 'contain a truncated line', text: `${process.pid}\n/proc/se` },
    {
      what: 'name an unrelated process',
      text: `${process.pid}\n/proc/self/cwd\n1\n5432\n.\n\n  1 1\nready   \n`,
    },
    { what: 'name process 1', text: '1\n/proc/self/cwd\n1\n5432\n.\n\n  1 1\nready   \n' },
  ]
  for (const { what, text } of remnants)
    test(`starts when leftover lock files ${what}`, async () => {
      for (const file of ['.s.PGSQL.5432.lock', 'postmaster.pid'])
        await writeFile(join(dataDir, 'postgres', file), text)
      const server = await start()
      assert.equal(await select1(server.connection), 1)
      await server.stop()
    })

  test('refuses to start while the process that started the running server is alive, even if it is suspended', async () => {
    const { child, connection, serverPid } = await startService(dataDir)
    try {
      await assert.rejects(start(), { code: 'in_use' })
      child.kill('SIGSTOP')
      await assert.rejects(start(), { code: 'in_use' })
      assert.equal(await select1(connection), 1)
      assert.ok(process.kill(serverPid, 0))
    } finally {
      child.kill('SIGKILL')
      await exitOf(child)
    }
    await (await start()).stop()
  })

  const noNamespaces = (process.platform !== 'linux' || process.getuid?.() !== 0) && 'requires root on Linux'
  test(
    'refuses to start while a server in another container uses the folder',
    { skip: noNamespaces },
    async () => {
      const container = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc', '--net', '--ipc']
      const inner = await startService(dataDir, container)
      try {
        await assert.rejects(start(), { code: 'in_use' })
        assert.equal(await select1({ ...inner.connection, host: join(dataDir, 'postgres') }), 1)
      } finally {
        inner.child.kill('SIGKILL')
        await exitOf(inner.child)
      }
      const server = await start()
      await assert.rejects(startService(dataDir, container), /is using/)
      assert.equal(await select1(server.connection), 1)
      await server.stop()
    },
  )
})
