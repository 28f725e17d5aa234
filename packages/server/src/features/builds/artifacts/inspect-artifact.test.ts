import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { startService, type Service, type Tenant } from '../../../../test/harness.ts'
import { until } from '../../../../test/until.ts'
import { put, uploadedBuild } from '../../../../test/uploading.ts'
import type { Deps } from '../../../deps.ts'
import type { StorageDriver } from '../../../storage/driver.ts'
import { rereadBuilds } from '../inspection/reread-builds.job.ts'
import { artifactReading } from './inspect-artifact.job.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const post = (path: string, body: unknown) => service.call('POST', path, { key: tenant.applicationKey, body })

async function artifactOf(buildId: string, artifactId: string) {
  const path = `/applications/${tenant.applicationId}/builds/${buildId}/metadata/${artifactId}`
  return (await service.call('GET', path, { key: tenant.applicationKey })).body.data
}

async function uploadArtifact(buildId: string, filename: string, bytes: Buffer) {
  const { body } = await post('/upload/metadata/request', {
    build_id: buildId,
    filename,
    size_bytes: bytes.length,
  })
  await put(body.presigned_upload_data, bytes)
  const verified = await post('/upload/metadata/verify', {
    pending_upload_id: body.metadata_pending_upload_id,
  })
  return verified.body.metadata_artifact_id as string
}

const debugIdsOf = async (buildId: string) => {
  const path = `/applications/${tenant.applicationId}/builds/${buildId}/debug-ids`
  return (await service.call('GET', path, { key: tenant.applicationKey })).body.data as Record<
    string,
    unknown
  >[]
}

const reread = (deps: Partial<Deps> = {}) =>
  rereadBuilds.handle({ ...service.deps, ...deps }, {}, new AbortController().signal)

/** Makes the reading of the artifacts of builds outdated, as an upgrade to a version that reads more does. */
const outdate = (buildIds: string[]) =>
  sql`update build_readings set version = 0, due_at = now(), has_failed = false
    where kind = 'artifacts' and build_id = any(${buildIds})`.execute(service.deps.db)

const readingOf = (buildId: string) =>
  service.deps.db
    .selectFrom('build_readings')
    .select(['version', 'has_failed', sql<boolean>`due_at > now()`.as('is_postponed')])
    .where('build_id', '=', buildId)
    .where('kind', '=', 'artifacts')
    .executeTakeFirstOrThrow()

test('lists the debug IDs of the artifacts of a build, also of artifacts from older versions', async () => {
  const { build } = await uploadedBuild(service, tenant)
  assert.deepEqual(await debugIdsOf(build.id), [])
  const mapping = Buffer.from('# compiler: R8\n# pg_map_id: 7fa4c6e\ncom.example.App -> a.a:\n')
  const artifactId = await uploadArtifact(build.id, 'mapping.txt', mapping)
  const expected = {
    kind: 'r8_map_id',
    id: '7fa4c6e',
    role: 'symbols',
    name: 'mapping.txt',
    path: null,
    architecture: null,
    metadata_artifact_id: artifactId,
  }
  const ids = await until('the debug ID', async () => {
    const found = await debugIdsOf(build.id)
    return found.length === 0 ? undefined : found
  })
  assert.deepEqual(ids, [expected])
  assert.equal((await artifactOf(build.id, artifactId)).format, 'r8_mapping')

  const { db } = service.deps
  await db.deleteFrom('debug_ids').where('build_id', '=', build.id).execute()
  const older = {
    inspection_version: 0,
    format: null,
    checksum_sha256: null,
  }
  await db.updateTable('metadata_artifacts').set(older).where('id', '=', artifactId).execute()
  await outdate([build.id])
  await reread()
  assert.deepEqual(await debugIdsOf(build.id), [expected])
  const artifact = await artifactOf(build.id, artifactId)
  assert.equal(artifact.checksum_sha256, createHash('sha256').update(mapping).digest('hex'))
  assert.equal(artifact.format, 'r8_mapping')
  await service.call(
    'DELETE',
    `/applications/${tenant.applicationId}/builds/${build.id}/metadata/${artifactId}`,
    {
      key: tenant.workspaceKey,
    },
  )
  assert.deepEqual(await debugIdsOf(build.id), [])
})

test('keeps an artifact that claims to be an archive of symbols', async () => {
  const { build } = await uploadedBuild(service, tenant)
  const artifactId = await uploadArtifact(
    build.id,
    'App.dSYM.zip',
    Buffer.from('PK\u0003\u0004 and no archive'),
  )
  const { db } = service.deps
  await until('the inspection', async () => {
    const row = await db
      .selectFrom('metadata_artifacts')
      .select('inspection_version')
      .where('id', '=', artifactId)
      .executeTakeFirst()
    return row?.inspection_version === 0 ? undefined : row
  })
  assert.equal((await artifactOf(build.id, artifactId)).format, null)
  assert.deepEqual(await debugIdsOf(build.id), [])
})

test('reads artifacts after an upgrade although others have no stored object or are in a store that fails', async () => {
  const { db, storage } = service.deps
  const mapping = Buffer.from('# compiler: R8\n# pg_map_id: 7fa4c6e\ncom.example.App -> a.a:\n')
  const uploads: { id: string; artifactId: string; key: string }[] = []
  for (let index = 0; index < 3; index++) {
    const { build } = await uploadedBuild(service, tenant)
    const artifactId = await uploadArtifact(build.id, 'mapping.txt', mapping)
    await until('the debug ID', async () => (await debugIdsOf(build.id)).length > 0)
    const uninspected = { inspection_version: 0, format: null }
    const artifact = await db
      .updateTable('metadata_artifacts')
      .set(uninspected)
      .where('id', '=', artifactId)
      .returning('object_key')
      .executeTakeFirstOrThrow()
    uploads.push({ id: build.id, artifactId, key: artifact.object_key })
  }
  const [readable, marked, unreachable] = uploads
  assert.ok(readable && marked && unreachable)
  await db
    .updateTable('stored_objects')
    .set({ deleted_at: sql`now()` })
    .where('key', '=', marked.key)
    .execute()
  const attempts: string[] = []
  const failingStorage: StorageDriver = {
    ...storage,
    read(object, range) {
      if (uploads.some(({ key }) => key === object.key)) attempts.push(object.key)
      if (object.key === unreachable.key) throw new Error('the store does not respond')
      return storage.read(object, range)
    },
  }
  await outdate(uploads.map(({ id }) => id))
  await reread({ storage: failingStorage })
  const expected = { version: artifactReading.version, has_failed: false }
  const { version, has_failed } = await readingOf(readable.id)
  assert.deepEqual({ version, has_failed }, expected)
  assert.equal((await artifactOf(readable.id, readable.artifactId)).format, 'r8_mapping')
  for (const { id } of [marked, unreachable])
    assert.deepEqual(await readingOf(id), { version: 0, has_failed: true, is_postponed: true })

  // Those that have failed are due again first, and are nevertheless read last.
  await sql`update build_readings set due_at = now() where kind = 'artifacts' and has_failed`.execute(db)
  await db
    .updateTable('metadata_artifacts')
    .set({ inspection_version: 0 })
    .where('id', '=', readable.artifactId)
    .execute()
  await sql`update build_readings set version = 0, due_at = '2026-01-01' where kind = 'artifacts'
    and build_id = ${readable.id}`.execute(db)
  attempts.length = 0
  await reread({ storage: failingStorage })
  assert.deepEqual([...new Set(attempts)], [readable.key, unreachable.key])
})

test('reads an artifact whose job was lost after an hour', async () => {
  const { build } = await uploadedBuild(service, tenant)
  const artifactId = await uploadArtifact(build.id, 'notes.txt', Buffer.from('notes'))
  const { db } = service.deps
  assert.equal((await readingOf(build.id)).version, artifactReading.version, 'nothing remains to be read')
  const artifact = await db
    .deleteFrom('metadata_artifacts')
    .where('id', '=', artifactId)
    .returningAll()
    .executeTakeFirstOrThrow()
  await db
    .insertInto('metadata_artifacts')
    .values({ ...artifact, inspection_version: 0 })
    .execute()
  assert.deepEqual(await readingOf(build.id), { version: 0, has_failed: false, is_postponed: true })
  await outdate([build.id])
  await reread()
  assert.equal((await readingOf(build.id)).version, artifactReading.version)
})
