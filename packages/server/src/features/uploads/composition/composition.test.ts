import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { folderOnly, storesInS3 } from '../../../../test/acceptance/test-storage.ts'
import { ageObjects, purgeBuild } from '../../../../test/aging.ts'
import { startService, type Service, type Tenant } from '../../../../test/harness.ts'
import { put, requestUpload, uploadedBuild, verify } from '../../../../test/uploading.ts'
import { deleteMarkedObjects } from '../../../storage/objects/delete-marked-objects.job.ts'
import { markAllUnreferencedObjects } from '../../../storage/objects/mark-unreferenced.job.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

type Range = { file_id?: string; offset?: number; size_bytes: number }
type Build = { id: string; primary_file: { id: string } }

const compose = (uploadId: string, body: object, key = tenant.applicationKey) =>
  service.call('PUT', `/upload/${uploadId}/composition`, { key, body })

const request = (bytes: Uint8Array, owner = tenant) =>
  requestUpload(service, owner, { primary_file: { filename: 'game.pak', size_bytes: bytes.length } })

/** Requests an upload of bytes that are composed of these ranges. */
async function requestComposed(bytes: Uint8Array, ranges: Range[]) {
  const { pending_upload_id: id } = await request(bytes)
  const { status, body, text } = await compose(id, { checksum_sha256: sha256(bytes), ranges })
  assert.equal(status, 200, text)
  return { id: id as string, composed: body.data }
}

/** Uploads a build that replaces 10 bytes in the middle of another one. */
async function uploadChanged(source: { build: Build; bytes: Uint8Array }) {
  const half = Math.floor(source.bytes.length / 2)
  const added = randomBytes(10)
  const bytes = Buffer.concat([source.bytes.subarray(0, half), added, source.bytes.subarray(half)])
  const file_id = source.build.primary_file.id
  const { id, composed } = await requestComposed(bytes, [
    { file_id, offset: 0, size_bytes: half },
    { size_bytes: 10 },
    { file_id, offset: half, size_bytes: source.bytes.length - half },
  ])
  assert.deepEqual([composed.new_bytes, composed.reused_bytes], [10, source.bytes.length])
  return { id, added, bytes, signed: composed.presigned_data }
}

async function finish({ id, added, signed }: Awaited<ReturnType<typeof uploadChanged>>): Promise<Build> {
  assert.equal((await put(signed, added)).status, 200)
  const { status, body, text } = await verify(service, tenant, id)
  assert.equal(status, 200, text)
  return body.build as Build
}

const upload = (size = 100_000) => uploadedBuild(service, tenant, {}, randomBytes(size))

async function download({ id }: Build): Promise<Buffer> {
  const path = `/applications/${tenant.applicationId}/builds/${id}/download`
  const { body } = await service.call('GET', path, { key: tenant.applicationKey })
  const response = await fetch(body.primary_file.temp_url)
  assert.equal(response.status, 200)
  const bytes = Buffer.from(await response.arrayBuffer())
  assert.equal(body.primary_file.checksum_sha256, sha256(bytes))
  assert.equal(body.primary_file.checksum_md5, createHash('md5').update(bytes).digest('hex'))
  return bytes
}

async function keyOf({ id }: Build): Promise<string> {
  const { db } = service.deps
  const row = await db
    .selectFrom('files')
    .select('object_key')
    .where('build_id', '=', id)
    .executeTakeFirstOrThrow()
  return row.object_key
}

const findObject = (key: string) =>
  service.deps.db
    .selectFrom('stored_objects')
    .select(['segments', 'ranges', 'deleted_at'])
    .where('key', '=', key)
    .executeTakeFirst()

const purge = (build: Build) => purgeBuild(service, build.id)

test('composes a file of ranges of another one and of new bytes', async () => {
  const source = await upload()
  const changed = await uploadChanged(source)
  const path = `/upload/${changed.id}`
  const { body: status } = await service.call('GET', path, { key: tenant.applicationKey })
  assert.equal(status.data.files[0].reused_bytes, source.bytes.length)
  const { body: composition } = await service.call('GET', `${path}/composition`, {
    key: tenant.applicationKey,
  })
  assert.deepEqual(composition.data, {
    checksum_sha256: sha256(changed.bytes),
    new_ranges: [{ offset: source.bytes.length / 2, size_bytes: 10 }],
  })
  const build = await finish(changed)
  assert.equal(sha256(await download(build)), sha256(changed.bytes))
  const { segments } = (await findObject(await keyOf(build))) as { segments: { key?: string }[] }
  const expected = storesInS3 ? [undefined] : [await keyOf(source.build), undefined]
  assert.deepEqual(new Set(segments.map(({ key }) => key)), new Set(expected))
})

test('resolves ranges of composed files to the files that received the bytes', folderOnly, async () => {
  const source = await upload()
  const second = await uploadChanged(source)
  const secondBuild = await finish(second)
  const third = await uploadChanged({ build: secondBuild, bytes: second.bytes })
  const thirdBuild = await finish(third)
  assert.equal(sha256(await download(thirdBuild)), sha256(third.bytes))
  const segments = (await findObject(await keyOf(thirdBuild)))?.segments as { key?: string }[]
  const keys = new Set(segments.map(({ key }) => key))
  assert.deepEqual(keys, new Set([undefined, await keyOf(source.build), await keyOf(secondBuild)]))
})

test('creates a build without new bytes', async () => {
  const { build, bytes } = await upload()
  const ranges = [{ file_id: build.primary_file.id, offset: 0, size_bytes: bytes.length }]
  const { id, composed } = await requestComposed(bytes, ranges)
  assert.equal(composed.presigned_data, null)
  const { status, body, text } = await verify(service, tenant, id)
  assert.equal(status, 200, text)
  assert.equal(sha256(await download(body.build)), sha256(bytes))
})

test('rejects a file whose bytes differ from its checksum, and lists no build', async () => {
  const { build, bytes } = await upload()
  const { pending_upload_id: id } = await request(bytes)
  const ranges = [{ file_id: build.primary_file.id, offset: 0, size_bytes: bytes.length }]
  await compose(id, { checksum_sha256: sha256(Buffer.from('other')), ranges })
  const { status, body } = await verify(service, tenant, id)
  assert.deepEqual([status, body.code], [400, 'composition.mismatch'])
  const { body: current } = await service.call('GET', `/upload/${id}`, { key: tenant.applicationKey })
  assert.deepEqual([current.data.state, current.data.build_id], ['requested', null])
})

test('gives the same error for files that do not exist and files that the key cannot read', async () => {
  const other = await service.tenant()
  const { body: sibling } = await service.call('POST', '/applications', {
    key: tenant.workspaceKey,
    body: { name: `Other ${randomUUID()}`, platforms: ['linux'] },
  })
  const siblingKey = await service.key(tenant.workspaceId, sibling.data.id, ['builds:create', 'builds:read'])
  const siblingTenant = { ...tenant, applicationId: sibling.data.id as string, applicationKey: siblingKey }
  const bytes = randomBytes(1000)
  const foreign = [
    await uploadedBuild(service, other, {}, bytes),
    await uploadedBuild(service, siblingTenant, {}, bytes),
    await uploadedBuild(service, tenant, {}, bytes),
  ]
  const deleted = foreign[2]?.build as Build
  await service.call('DELETE', `/applications/${tenant.applicationId}/builds/${deleted.id}`, {
    key: tenant.applicationKey,
  })
  const { pending_upload_id: id } = await request(bytes)
  const errors = new Set<string>()
  for (const file_id of [...foreign.map(({ build }) => build.primary_file.id as string), randomUUID(), 'x']) {
    const ranges = [{ file_id, offset: 0, size_bytes: 1000 }]
    const { status, body } = await compose(
      id,
      { checksum_sha256: sha256(bytes), ranges },
      tenant.workspaceKey,
    )
    assert.equal(status, 422)
    errors.add(JSON.stringify(body.errors))
  }
  assert.equal(errors.size, 1, [...errors].join('\n'))
  const unknown = await compose(randomUUID(), { checksum_sha256: sha256(bytes), ranges: [{ size_bytes: 1 }] })
  assert.equal(unknown.status, 404)
  const hidden = await request(bytes, other)
  const denied = await compose(hidden.pending_upload_id, {
    checksum_sha256: sha256(bytes),
    ranges: [{ size_bytes: 1000 }],
  })
  assert.equal(denied.status, 404)
})

test('rejects ranges that do not describe the file', async () => {
  const { build, bytes } = await upload(1000)
  const file_id = build.primary_file.id
  const { pending_upload_id: id } = await request(bytes)
  const invalid: unknown[] = [
    [],
    [{ size_bytes: 999 }],
    [{ size_bytes: 1001 }],
    [{ size_bytes: 0 }, { size_bytes: 1000 }],
    [{ size_bytes: -1 }, { size_bytes: 1001 }],
    [{ file_id, offset: -1, size_bytes: 1000 }],
    [{ file_id, offset: 1, size_bytes: 1000 }],
    [{ file_id, offset: Number.MAX_SAFE_INTEGER, size_bytes: 1000 }],
    [{ file_id, size_bytes: 1001 }],
    [{ offset: 0, size_bytes: 1000 }],
    [{ file_id, offset: 0.5, size_bytes: 1000 }],
    Array.from({ length: 11 }, (_, index) => ({
      file_id: randomUUID(),
      offset: 0,
      size_bytes: index < 10 ? 1 : 990,
    })),
    Array.from({ length: 10_001 }, () => ({ size_bytes: 1 })),
  ]
  for (const ranges of invalid) {
    const { status } = await compose(id, { checksum_sha256: sha256(bytes), ranges })
    assert.equal(status, 422, JSON.stringify(ranges).slice(0, 100))
  }
  const huge = Array.from({ length: 200_000 }, () => ({ size_bytes: 1 }))
  assert.equal((await compose(id, { checksum_sha256: sha256(bytes), ranges: huge })).status, 413)
  assert.equal((await compose(id, { checksum_sha256: 'x', ranges: [{ size_bytes: 1000 }] })).status, 422)
  // Ranges may overlap and repeat.
  const repeated = Array.from({ length: 1000 }, () => ({ file_id, offset: 7, size_bytes: 1 }))
  const constant = Buffer.alloc(1000, bytes[7])
  assert.equal((await compose(id, { checksum_sha256: sha256(constant), ranges: repeated })).status, 200)
  let verified = await verify(service, tenant, id)
  while (verified.body.code === 'upload.verifying') verified = await verify(service, tenant, id)
  assert.equal(verified.status, 200, verified.text)
  assert.deepEqual(await download(verified.body.build), constant)
})

test('accepts no composition once bytes are stored or the upload has ended', async () => {
  const { build, bytes } = await upload(1000)
  const ranges = [{ file_id: build.primary_file.id, offset: 0, size_bytes: 1000 }]
  const body = { checksum_sha256: sha256(bytes), ranges }
  const requested = await request(bytes)
  await put(requested.primary_file.presigned_data, bytes)
  const stored = await compose(requested.pending_upload_id, body)
  assert.deepEqual([stored.status, stored.body.code], [409, 'composition.parts_stored'])
  assert.equal((await verify(service, tenant, requested.pending_upload_id)).status, 200)
  assert.equal((await compose(requested.pending_upload_id, body)).body.code, 'upload.verified')
  const expansion = await request(bytes)
  const { body: missing } = await compose(expansion.pending_upload_id, { ...body, role: 'expansion' })
  assert.equal(missing.code, 'upload.no_such_file')
})

test('keeps the sources of an upload that is not verified yet', async () => {
  const source = await upload()
  const key = await keyOf(source.build)
  const changed = await uploadChanged(source)
  await purge(source.build)
  assert.equal((await findObject(key))?.deleted_at, null)
  await deleteMarkedObjects(service.deps)
  const build = await finish(changed)
  assert.equal(sha256(await download(build)), sha256(changed.bytes))
})

test('deletes the sources of a build after the last build that uses them', folderOnly, async () => {
  const source = await upload()
  const changed = await uploadChanged(source)
  const build = await finish(changed)
  const [sourceKey, key] = [await keyOf(source.build), await keyOf(build)]
  await purge(source.build)
  assert.equal((await findObject(sourceKey))?.deleted_at, null)
  assert.equal(sha256(await download(build)), sha256(changed.bytes))
  await purge(build)
  await ageObjects(service, [key], 8)
  await deleteMarkedObjects(service.deps)
  assert.equal(await findObject(key), undefined)
  assert.notEqual((await findObject(sourceKey))?.deleted_at, null)
  await ageObjects(service, [sourceKey], 8)
  await deleteMarkedObjects(service.deps)
  assert.equal(await findObject(sourceKey), undefined)
  assert.equal(await service.deps.storage.findSealed(sourceKey), undefined)
})

test('releases the sources of an aborted upload', async () => {
  const source = await upload()
  const key = await keyOf(source.build)
  const { id } = await uploadChanged(source)
  await purge(source.build)
  await service.call('POST', '/upload/abort', { key: tenant.applicationKey, body: { pending_upload_id: id } })
  const { db } = service.deps
  await db
    .updateTable('stored_objects')
    .set({ created_at: '2020-01-01T00:00:00Z' })
    .where('key', '=', key)
    .execute()
  await markAllUnreferencedObjects(service.deps)
  assert.notEqual((await findObject(key))?.deleted_at, null)
})

test('creates one build when several calls verify a composed upload at the same time', async () => {
  const source = await upload()
  const changed = await uploadChanged(source)
  assert.equal((await put(changed.signed, changed.added)).status, 200)
  const responses = await Promise.all(Array.from({ length: 8 }, () => verify(service, tenant, changed.id)))
  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
  assert.equal(new Set(responses.map(({ body }) => body.build_id)).size, 1)
})
