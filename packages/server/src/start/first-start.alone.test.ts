import assert from 'node:assert/strict'
import { access, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { startService } from '../../test/harness.ts'
import { hashKey } from '../features/api-keys/api-key.ts'
import { ensureFirstKeyFile, warnOfFirstKey } from './first-start.ts'

test('logs a warning at each startup until the first key is revoked', async () => {
  const service = await startService({ environment: { QUAYSIDE_BOOTSTRAP_KEY: '' } })
  try {
    const { db } = service.deps
    const { id: workspaceId } = await db.selectFrom('workspaces').select('id').executeTakeFirstOrThrow()
    const warnings: string[] = []
    const log = { warn: (_: unknown, text?: string) => void warnings.push(text ?? '') }
    await warnOfFirstKey(db, workspaceId, log)
    const path = join(service.dataDir, 'first-key')
    await access(path)
    const key = (await readFile(path, 'utf8')).trim()
    const command = /DELETE \/api\/v1(\S+)/.exec(warnings.join())?.[1] ?? ''
    assert.ok(!warnings.join().includes(key))

    const created = await service.call('POST', '/workspace/api-keys', {
      key,
      body: { name: 'own', scopes: ['api_keys:write'] },
    })
    assert.equal(created.status, 201, created.text)
    assert.equal((await service.call('DELETE', command, { key })).status, 200)
    await warnOfFirstKey(db, workspaceId, log)
    assert.equal(warnings.length, 1)
  } finally {
    await service.close()
  }
})

test('creates one first key when several nodes start at the same time', async () => {
  const service = await startService({ environment: { QUAYSIDE_ROLE: 'worker' } })
  const folders = await Promise.all(
    Array.from({ length: 4 }, () => mkdtemp(join(tmpdir(), 'quayside-first-key-'))),
  )
  try {
    const { db } = service.deps
    const { id: workspaceId } = await db.selectFrom('workspaces').select('id').executeTakeFirstOrThrow()
    const shared = folders[0] ?? ''
    // Opens a connection for each node, so that no node has to wait for one while another creates the key.
    await Promise.all(Array.from({ length: 5 }, () => sql`select pg_sleep(0.1)`.execute(db)))
    const paths = await Promise.all(
      [shared, ...folders].map((folder) => ensureFirstKeyFile(db, folder, workspaceId)),
    )
    const rows = await db.selectFrom('api_keys').select('key_sha256').execute()
    assert.equal(rows.length, 1)
    const [path = '', ...others] = new Set(paths.filter((created) => created !== undefined))
    assert.deepEqual(others, [])
    assert.deepEqual(hashKey((await readFile(path, 'utf8')).trim()), rows[0]?.key_sha256)
  } finally {
    await service.close()
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
  }
})
