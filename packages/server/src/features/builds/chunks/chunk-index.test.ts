import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { readChunkIndex } from '@quayside/sdk/chunk-index'
import { sql } from 'kysely'
import { purgeBuild } from '../../../../test/aging.ts'
import { startOwnService, type Service, type Tenant } from '../../../../test/harness.ts'
import { uploadedBuild, uploadedInParts } from '../../../../test/uploading.ts'
import type { Deps } from '../../../deps.ts'
import { rereadBuilds } from '../inspection/reread-builds.job.ts'
import { minIndexedBytes } from './chunk-index.ts'
import { indexBuild } from './index-build.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startOwnService()
  tenant = await service.tenant()
})
after(() => service.close())

const neverStopping = new AbortController().signal
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const run = (stopping = neverStopping) => rereadBuilds.handle(service.deps, {}, stopping)

const getChunks = (build: { id: string; primary_file: { id: string } }, key = tenant.applicationKey) =>
  service.call(
    'GET',
    `/applications/${tenant.applicationId}/builds/${build.id}/files/${build.primary_file.id}/chunks`,
    { key },
  )

/** Passes the storage of the service to `indexBuild`, and calls `onRead` before the first bytes of a file. */
const readingWith = (onRead: () => Promise<void>): Deps => ({
  ...service.deps,
  storage: {
    ...service.deps.storage,
    async *read(object) {
      await onRead()
      yield* service.deps.storage.read(object)
    },
  },
})

const countIndexes = async (fileId: string) =>
  (
    await service.deps.db
      .selectFrom('chunk_indexes')
      .select('object_key')
      .where('file_id', '=', fileId)
      .execute()
  ).length

const usage = async () => {
  const { rows } = await sql<{ bytes: number }>`select sum(bytes)::int8 as bytes from storage_usage
    where application_id = ${tenant.applicationId}`.execute(service.deps.db)
  return Number(rows[0]?.bytes)
}

const upload = (bytes: Buffer) =>
  uploadedBuild(service, tenant, { primary_file: { filename: 'a.bin' } }, bytes)

test('computes the chunk index of a file in a job, and serves it with ranges and without a download', async () => {
  const bytes = randomBytes(3_000_000)
  const { build } = await upload(bytes)
  const pending = await getChunks(build)
  assert.equal(pending.status, 404)
  assert.equal(pending.body.code, 'chunk_index.pending')
  assert.equal(pending.headers.get('retry-after'), '60')

  await run()
  const { status, body } = await getChunks(build)
  assert.equal(status, 302)
  const response = await fetch(body.location)
  const index = new Uint8Array(await response.arrayBuffer())
  const { chunks, fileBytes, fileSha256 } = readChunkIndex(index)
  assert.equal(fileBytes, bytes.length)
  assert.equal(fileSha256, sha256(bytes))
  assert.ok(chunks.length > 20 && chunks.length < 100, `${chunks.length} chunks`)
  for (const { start, sizeBytes, sha256: hash } of chunks)
    assert.equal(sha256(bytes.subarray(start, start + sizeBytes)), hash)

  const part = await fetch(body.location, { headers: { range: 'bytes=64-99' } })
  assert.equal(part.status, 206)
  assert.deepEqual(new Uint8Array(await part.arrayBuffer()), index.slice(64, 100))
  assert.ok(response.headers.get('etag'))
  const path = `/applications/${tenant.applicationId}/builds/${build.id}/downloads`
  const downloads = await service.call('GET', path, { key: tenant.applicationKey })
  assert.equal(downloads.body.pagination.total, 0)
})

test('indexes files that were uploaded in parts, and no small files', async () => {
  const { build, bytes } = await uploadedInParts(service, tenant)
  const { build: small } = await upload(randomBytes(minIndexedBytes - 1))
  await run()
  const { body } = await getChunks(build)
  const index = new Uint8Array(await (await fetch(body.location)).arrayBuffer())
  assert.equal(readChunkIndex(index).fileSha256, sha256(bytes))
  const { status, body: problem } = await getChunks(small)
  assert.equal(status, 404)
  assert.equal(problem.code, 'chunk_index.unavailable')
})

test('does not count the index as storage usage, and deletes it with the build', async () => {
  const before = await usage()
  const { build, bytes } = await upload(randomBytes(minIndexedBytes))
  await run()
  const { db } = service.deps
  const index = await db
    .selectFrom('chunk_indexes')
    .selectAll()
    .where('file_id', '=', build.primary_file.id)
    .executeTakeFirstOrThrow()
  assert.equal(await usage(), before + bytes.length)
  await purgeBuild(service, build.id)
  assert.equal(await usage(), before)
  const object = await db
    .selectFrom('stored_objects')
    .select('deleted_at')
    .where('key', '=', index.object_key)
    .executeTakeFirstOrThrow()
  assert.notEqual(object.deleted_at, null)
})

test('stores no index if the file is purged while it is read', async () => {
  const { build } = await upload(randomBytes(minIndexedBytes))
  const stored: string[] = []
  const deps = readingWith(() => purgeBuild(service, build.id))
  const store = service.deps.storage.store.bind(service.deps.storage)
  deps.storage.store = async (key, content) => {
    stored.push(key)
    return store(key, content)
  }
  assert.equal(await indexBuild(deps, build.id, neverStopping), true)
  assert.equal(stored.length, 1)
  assert.equal(await service.deps.storage.findSealed(stored[0]!), undefined)
  assert.equal(await countIndexes(build.primary_file.id), 0)
})

test('continues after the service was stopped while it read a file', async () => {
  const { build } = await upload(randomBytes(minIndexedBytes))
  const stopping = new AbortController()
  const deps = readingWith(async () => stopping.abort())
  await rereadBuilds.handle(deps, {}, stopping.signal)
  assert.equal(await countIndexes(build.primary_file.id), 0)
  await run()
  assert.equal(await countIndexes(build.primary_file.id), 1)
})

test('stores no index of bytes that differ from the recorded checksum', async () => {
  const { build } = await upload(randomBytes(minIndexedBytes))
  const other = '0'.repeat(64)
  await service.deps.db
    .updateTable('files')
    .set({ checksum_sha256: other })
    .where('id', '=', build.primary_file.id)
    .execute()
  assert.equal(await indexBuild(service.deps, build.id, neverStopping), false)
  assert.equal(await countIndexes(build.primary_file.id), 0)
})

test('stores one index when two nodes compute it at the same time', async () => {
  const { build } = await upload(randomBytes(minIndexedBytes))
  const results = await Promise.all([1, 2, 3].map(() => indexBuild(service.deps, build.id, neverStopping)))
  assert.deepEqual(results, [true, true, true])
  assert.equal(await countIndexes(build.primary_file.id), 1)
})

test('serves an index only to keys that can download the file', async () => {
  const [{ build }, { build: other }] = [
    await upload(randomBytes(minIndexedBytes)),
    await upload(randomBytes(minIndexedBytes)),
  ]
  await run()
  const { workspaceId, applicationId, workspaceKey } = tenant
  const foreign = await service.tenant()
  assert.equal((await getChunks(build, workspaceKey)).status, 302)
  assert.equal((await getChunks(build, foreign.workspaceKey)).status, 404)
  assert.equal((await getChunks(build, foreign.applicationKey)).status, 404)
  const uploader = await service.key(workspaceId, applicationId, ['builds:create'])
  const stranger = await service.key(workspaceId, applicationId, ['releases:read'])
  assert.deepEqual(
    [(await getChunks(build, uploader)).status, (await getChunks(build, stranger)).status],
    [302, 403],
  )
  assert.equal((await getChunks({ id: other.id, primary_file: build.primary_file })).status, 404)

  const path = `/applications/${applicationId}/builds/${build.id}`
  assert.equal((await service.call('DELETE', path, { key: tenant.applicationKey })).status, 200)
  assert.equal((await getChunks(build)).status, 404)
})
