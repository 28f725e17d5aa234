import assert from 'node:assert/strict'
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { connectDatabase } from '../../src/database/connect.ts'
import { migrate } from '../../src/database/schema/migrate.ts'
import { createLocalIdentity } from '../../src/storage/local/local-identity.ts'
import { cloneDatabase, type TestDatabase } from '../database.ts'
import { startOwnService } from '../harness.ts'
import {
  loadReleaseData,
  migrationsFolder,
  readReleaseData,
  type ReleaseData,
  releaseSecret,
} from './release-data.ts'

/** Adds up the values of the saved rows of a table. */
const sumOf = (
  rows: ReleaseData['rows'],
  table: string,
  valueOf: (row: Record<string, unknown>) => unknown,
): number =>
  rows.reduce((sum, entry) => (entry.table === table ? sum + Number(valueOf({ ...entry.row })) : sum), 0)

describe('upgrade from the previous release', () => {
  let clone: TestDatabase
  let folder: string
  let data: ReleaseData
  let database: ReturnType<typeof connectDatabase>
  before(async () => {
    data = await readReleaseData()
    folder = await mkdtemp(join(tmpdir(), 'quayside-upgrade-'))
    clone = await cloneDatabase()
    database = connectDatabase({ connection: clone.connection, maxConnections: 2, log: { warn: () => {} } })
    await database.pool.query('drop schema public cascade; create schema public')
    await migrate(database.pool, await migrationsUpTo('released', data.migration))
    const client = await database.pool.connect()
    await loadReleaseData(client, data)
    client.release()
  })
  after(async () => {
    await database.close()
    await clone.drop()
    await rm(folder, { recursive: true, force: true })
  })

  async function migrationsUpTo(name: string, number: number): Promise<string> {
    const files = (await readdir(migrationsFolder)).filter((file) => Number(file.slice(0, 4)) <= number)
    for (const file of files) await cp(join(migrationsFolder, file), join(folder, name, file))
    return join(folder, name)
  }
  const countRows = async (table: string) =>
    (await database.pool.query<{ count: number }>(`select count(*) as count from ${table}`)).rows[0]?.count

  test('applies newer migrations and serves the existing data', async () => {
    const { applicationId, workspaceKey, rows } = data
    const dataDir = join(folder, 'data')
    const installation = rows.find(({ table }) => table === 'installation')?.row as { id: string }
    await createLocalIdentity(join(dataDir, 'storage')).saveId(installation.id)
    const state = { connection: clone.connection, dataDir, storage: {}, remove: () => Promise.resolve() }
    const service = await startOwnService({ state, environment: { QUAYSIDE_SECRET: releaseSecret } })
    const get = async (path: string) => {
      const { status, body } = await service.call('GET', `/applications/${applicationId}${path}`, {
        key: workspaceKey,
      })
      assert.equal(status, 200, path)
      return body.data
    }
    const rowIds = (table: string) =>
      new Set(rows.flatMap((entry) => (entry.table === table && 'id' in entry.row ? [entry.row.id] : [])))
    const idSet = (found: { id: string }[]) => new Set(found.map(({ id }) => id))
    try {
      assert.equal((await get('')).id, applicationId)
      const builds = await get('/builds')
      assert.deepEqual(idSet(builds), rowIds('builds'))
      assert.deepEqual(idSet(await get('/releases')), rowIds('releases'))
      assert.deepEqual(idSet(await get('/streams')), rowIds('streams'))
      const downloads = await get(`/builds/${builds[0].id}/downloads`)
      assert.deepEqual(idSet(downloads), rowIds('downloads'))
      const bytes = sumOf(rows, 'storage_usage', ({ bytes }) => bytes)
      assert.ok(bytes > 0)
      assert.equal((await get('')).storage_usage.total_bytes, bytes)
      const bytesOfBuilds = sumOf(rows, 'daily_statistics', ({ kind, amount }) =>
        kind === 'stored_bytes' ? amount : 0,
      )
      assert.equal((await get('/statistics')).storage.stored_bytes, bytesOfBuilds)
      const renamed = await service.call('PATCH', `/applications/${applicationId}`, {
        key: workspaceKey,
        body: { name: 'Renamed after the upgrade' },
      })
      assert.equal(renamed.status, 200)
    } finally {
      await service.stop()
    }
  })

  test('keeps every row when a migration rewrites a table', async () => {
    const expected = await countRows('builds')
    const directory = await migrationsUpTo('planted', Infinity)
    await writeFile(
      join(directory, '9998-planted.sql'),
      `alter table builds add column size_mib bigint;
       update builds set size_mib = size_total_bytes >> 20;
       alter table builds alter column size_mib set not null;`,
    )
    assert.deepEqual(await migrate(database.pool, directory), ['9998-planted.sql'])
    assert.equal(await countRows('builds where size_mib is not null'), expected)
  })

  test('rolls back a migration that fails on existing data', async () => {
    const directory = join(folder, 'planted')
    await writeFile(
      join(directory, '9999-violated.sql'),
      `alter table builds add column planted text;
       alter table builds alter column planted set not null;`,
    )
    await assert.rejects(migrate(database.pool, directory), /9999-violated.sql failed: column "planted"/)
    await assert.rejects(database.pool.query('select planted from builds'), /column "planted" does not exist/)
  })
})
