import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Problem } from '../lib/problem.ts'
import { connectDatabase } from './connect.ts'
import { startEmbeddedDatabase } from './embedded-database.ts'

const log = { info: () => {}, warn: () => {}, error: () => {} }

describe('embedded database', () => {
  let dataDir: string
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'quayside-embedded-'))
  })
  after(() => rm(dataDir, { recursive: true, force: true }))

  test('fails queries with database.unavailable while a killed server restarts', async () => {
    const server = await startEmbeddedDatabase({ dataDir, log })
    const { pool, close } = connectDatabase({ connection: server.connection, maxConnections: 3, log })
    await pool.query('select 1')
    const killed = server.pid() as number
    process.kill(killed, 'SIGKILL')
    const outcomes = new Set<string>()
    for (;;) {
      const outcome = await pool.query('select 1').then(
        () => 'works',
        (error: unknown) => (error instanceof Problem ? error.code : String(error)),
      )
      outcomes.add(outcome)
      if (outcome === 'works' && server.pid() !== undefined && server.pid() !== killed) break
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    outcomes.delete('works')
    assert.deepEqual([...outcomes], ['database.unavailable'])
    await close()
    await server.stop()
  })

  test('fails a query in progress with database.unavailable when the server stops', async () => {
    const server = await startEmbeddedDatabase({ dataDir, log })
    const { pool, close } = connectDatabase({ connection: server.connection, maxConnections: 3, log })
    const busy = assert.rejects(pool.query('select pg_sleep(60)'), { code: 'database.unavailable' })
    await pool.query('select 1')
    await server.stop()
    await busy
    await close()
  })

  test('suggests DATABASE_URL if the server cannot start, or another folder if the data folder has other files', async () => {
    const started = startEmbeddedDatabase({ dataDir, log, settings: { shared_buffers: 'much' } })
    await assert.rejects(started, { code: 'embedded_postgres.not_started', message: /set DATABASE_URL/ })

    const other = join(dataDir, 'other')
    await mkdir(join(other, 'postgres'), { recursive: true })
    await writeFile(join(other, 'postgres/mine.txt'), 'mine')
    const refused = startEmbeddedDatabase({ dataDir: other, log })
    await assert.rejects(refused, {
      code: 'embedded_postgres.data_gone',
      message: /choose another data folder\.$/,
    })
  })
})
