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

  test('counts the icons and universal APKs of existing builds as stored bytes', async () => {
    const { pool } = database
    await migrate(pool, await migrationsUpTo('without-derived-bytes', 13))
    await pool.query(`
      insert into stored_objects (key, size_bytes, segments) values ('icon', 100, '[]'), ('apk', 2000, '[]'), ('own', 30, '[]');
      update builds set icon_object_key = 'icon' where id = (select min(id) from builds);
      update applications set icon_object_key = 'own' where id = (select application_id from builds where icon_object_key = 'icon');
      insert into files (id, build_id, role, filename, size_bytes, filetype, object_key)
      select gen_random_uuid(), id, 'universal_apk', 'app-universal.apk', 2000, 'apk', 'apk'
      from builds where icon_object_key = 'icon'`)
    const storedBytes = async () =>
      (await pool.query<{ bytes: number }>('select sum(bytes)::int as bytes from storage_usage')).rows[0]
        ?.bytes
    const lastChanges = async () =>
      (await pool.query('select max(updated_at), (select max(position) from changes) from builds')).rows
    const [before, changes] = [await storedBytes(), await lastChanges()]
    await migrate(pool, await migrationsUpTo('with-derived-bytes', 14))
    assert.equal(await storedBytes(), (before ?? 0) + 2130)
    assert.deepEqual(await lastChanges(), changes)
    await pool.query(`update applications set icon_object_key = null where icon_object_key = 'own'`)
    await pool.query(
      `update builds set icon_object_key = null, derived_total_bytes = 0 where icon_object_key = 'icon'`,
    )
    assert.equal(await storedBytes(), before)
    await pool.query(`delete from files where object_key = 'apk'`)
    await pool.query(`delete from stored_objects where key in ('icon', 'apk', 'own')`)
  })

  test('ends the access of single sign-on accounts that may belong to somebody else', async () => {
    const { pool } = database
    await migrate(pool, await migrationsUpTo('without-owners-of-links', 25))
    const issuer = 'https://id.example.com'
    const people: Record<string, { subject?: string; email?: string }> = {
      shared: { subject: `${issuer} ` },
      blank: { subject: `${issuer}   ` },
      ada: { subject: `${issuer} ada` },
      words: { subject: `${issuer} a b` },
      'two addresses': { subject: `${issuer} two`, email: 'x@evil.test,y@corp.test' },
      'a name': { subject: `${issuer} name`, email: '<x@evil.test>y@corp.test' },
      'only a password': { email: 'grace,hopper@example.com' },
    }
    for (const [id, { subject, email = `${id}@example.com` }] of Object.entries(people)) {
      await pool.query('insert into users (id, email) values ($1, $2)', [id, email])
      await pool.query(
        `insert into accounts (id, user_id, provider_id, account_id) values (gen_random_uuid(), $1, $2, $3)`,
        [id, subject === undefined ? 'credential' : 'sso', subject ?? id],
      )
      await pool.query(
        `insert into sessions (id, token, user_id, expires_at) values (gen_random_uuid(), $1, $1, now() + interval '1 day')`,
        [id],
      )
      await pool.query(
        `insert into passkeys (id, user_id, public_key, credential_id, counter, device_type, backed_up)
          values (gen_random_uuid(), $1, 'key', $1, 0, 'singleDevice', false)`,
        [id],
      )
      await pool.query(
        `insert into verifications (id, identifier, value, expires_at) values (gen_random_uuid(), 'reset', $1, now())`,
        [id],
      )
    }
    await pool.query(`
      insert into verifications (id, identifier, value, expires_at) values
        (gen_random_uuid(), 'link', '{"type":"magic-link","email":"ada@example.com"}', now()),
        (gen_random_uuid(), 'state', '{"callbackURL":"/"}', now())`)
    await migrate(pool, await migrationsUpTo('with-owners-of-links', 26))
    const usersOf = async (rows: string) =>
      (await pool.query<{ user_id: string | null }>(`select user_id from ${rows} order by 1`)).rows.map(
        ({ user_id }) => user_id,
      )
    const ownCredentials = ['ada', 'only a password', 'words']
    assert.deepEqual(await usersOf('accounts'), ownCredentials)
    assert.deepEqual(await usersOf('passkeys'), ownCredentials)
    assert.deepEqual(await usersOf(`verifications where identifier = 'reset'`), ownCredentials)
    assert.deepEqual(await usersOf('sessions where token = user_id'), ['ada', 'words'])
    assert.deepEqual(await usersOf(`verifications where identifier = 'link'`), [])
    assert.deepEqual(await usersOf(`verifications where identifier = 'state'`), [null])
    await pool.query(`delete from verifications where identifier in ('reset', 'state')`)
    await pool.query('delete from users where id = any($1)', [Object.keys(people)])
  })

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
      const { storage } = await get('/statistics')
      assert.equal(storage.stored_bytes, (await get('')).storage_usage.total_bytes)
      assert.ok(storage.stored_bytes > 0)
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
