import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { mountSmallDisk } from '../../server/test/acceptance/small-disk.ts'
import { DiskGuard } from './disk-guard.ts'
import { startEmbeddedPostgres } from './start.ts'

const log = { info: () => {}, warn: () => {}, error: () => {} }

async function until(condition: string, poll: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + 60_000; !(await poll());) {
    if (performance.now() > deadline) throw new Error(`${condition}: not true within 60 s`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

test('releases its reserve slowly, at a start as well, while another process uses up what is released', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'quayside-small-disk-'))
  const disk = mountSmallDisk(dataDir, { mebibytes: 224 })
  if (disk === undefined) return t.skip('requires permission to mount file systems')
  const folder = join(dataDir, 'postgres')
  const account = { uid: 0, gid: 0, switches: false, hasName: false }
  const createGuard = () =>
    new DiskGuard({ dataDir, folder, account, reserveAfterMs: 0, pid: () => undefined, log })
  const guard = createGuard()
  // Read synchronously, so that two checks cannot happen between two reads.
  const reserved = () => readdirSync(join(dataDir, 'postgres-reserve')).length
  await mkdir(folder)
  await writeFile(join(folder, 'postgresql.conf'), '')
  await guard.prepare()
  await guard.start()
  assert.equal(reserved(), 16)
  const fill = `while :; do dd if=/dev/zero of="$0" bs=64k oflag=append conv=notrunc 2>&- || sleep 0.001; done`
  const filler = spawn('/bin/sh', ['-c', fill, join(dataDir, 'filler')], { detached: true, stdio: 'ignore' })
  const signalFiller = (signal: NodeJS.Signals) => process.kill(-(filler.pid ?? 0), signal)
  t.after(async () => {
    await guard.stop()
    signalFiller('SIGKILL')
    await once(filler, 'exit')
    disk.unmount()
    await rm(dataDir, { recursive: true, force: true })
  })
  for (let before = reserved(); before > 12;) {
    const count = await new Promise<number>((resolve) => setTimeout(() => resolve(reserved()), 5))
    assert.ok(before - count <= 1, `a check released ${before - count} files`)
    before = count
  }
  await guard.stop()
  const fillDisk = async () => {
    signalFiller('SIGCONT')
    await until('the disk is full', async () => (await statfs(dataDir)).bavail === 0)
    signalFiller('SIGSTOP')
  }
  await fillDisk()
  const starting = createGuard()
  await starting.prepare()
  assert.equal(reserved(), 12 - 5)
  let attempts = 0
  await starting.withSpace(async () => {
    if (++attempts === 1) await fillDisk()
    await writeFile(join(dataDir, 'state'), 'x')
  })
  assert.deepEqual([attempts, reserved()], [2, 12 - 2 * 5])
})

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
