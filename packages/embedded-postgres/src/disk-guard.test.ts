import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { mountSmallDisk } from '../../server/test/acceptance/small-disk.ts'
import { startEmbeddedPostgres } from './start.ts'

const log = { info: () => {}, warn: () => {}, error: () => {} }

async function until(condition: string, poll: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + 60_000; !(await poll());) {
    if (performance.now() > deadline) throw new Error(`${condition}: not true within 60 s`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

test('keeps running while its disk has no space or no inodes, and accepts writes again when there is space', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'quayside-small-disk-'))
  const disk = mountSmallDisk(folder, { mebibytes: 320 })
  if (disk === undefined) return t.skip('requires permission to mount file systems')
  const dataDir = join(folder, 'data')
  const server = await startEmbeddedPostgres({ dataDir, name: 'embedded_test', log, reserveAfterMs: 0 })
  t.after(async () => {
    await server.stop()
    disk.unmount()
    await rm(folder, { recursive: true, force: true })
  })
  const pid = server.pid()
  const connect = async () => {
    const client = new pg.Client(server.connection)
    client.on('error', () => {})
    await client.connect()
    return client
  }
  const reserved = async () => (await readdir(join(dataDir, 'postgres-reserve')).catch(() => [])).length
  const client = await connect()
  await client.query(`create table kept as select 0 as number, ''::text as text`)
  const write = () =>
    client.query(`update kept set number = number + 1, text = repeat(md5(random()::text), 50)`).then(
      () => true,
      ({ code }: pg.DatabaseError) => {
        assert.match(String(code), /^(25006|53100)$/)
        return false
      },
    )
  const isReadOnly = async () => server.isDiskFull() && !(await write())

  await until('space is reserved', async () => (await reserved()) === 16)
  await disk.fill()
  await until('writes are rejected', isReadOnly)
  await until('reserved space is freed', async () => (await reserved()) < 16)
  for (let count = 0; count < 3; count++) {
    const other = await connect()
    assert.equal((await other.query('select from kept')).rowCount, 1)
    await other.end()
  }
  disk.free()
  await until('writes are accepted', write)
  await until('space is reserved again', async () => (await reserved()) === 16)

  await disk.fillInodes()
  await until('writes are rejected', isReadOnly)
  await (await connect()).end()
  disk.free()
  await until('writes are accepted', write)
  // A PostgreSQL server that aborts closes all connections.
  assert.equal((await client.query('select from kept')).rowCount, 1)
  assert.equal(server.pid(), pid)
  await client.end()
})
