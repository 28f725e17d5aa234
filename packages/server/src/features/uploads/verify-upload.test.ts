import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { folderOnly } from '../../../test/acceptance/test-storage.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { put, requestUpload, uploadedBuild, verify } from '../../../test/uploading.ts'
import { hashFile } from '../builds/files/hash-file.job.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

test('creates a build with checksums, events and an audit entry', async () => {
  const { build, bytes } = await uploadedBuild(service, tenant, {
    labels: ['beta'],
    primary_file: { filename: 'app.iso' },
  })
  assert.equal(build.primary_file.checksum_md5, createHash('md5').update(bytes).digest('hex'))
  assert.equal(build.primary_file.checksum_sha256, createHash('sha256').update(bytes).digest('hex'))
  assert.deepEqual(
    build.labels.map((label: { name: string }) => label.name),
    ['beta'],
  )
  const { db } = service.deps
  const events = await db
    .selectFrom('events')
    .select(['name', 'data'])
    .where('application_id', '=', tenant.applicationId)
    .orderBy('id')
    .execute()
  assert.deepEqual(
    events.map(({ name }) => name),
    ['build.created', 'build.created.stream', 'build.processed'],
    'files of this type are not read, so the build is processed at once',
  )
  assert.equal(build.processing, 'none')
  const audit = await db
    .selectFrom('audit_entries')
    .select(['action', 'after'])
    .where('subject_id', '=', build.id)
    .execute()
  const after = {
    version: build.version,
    build_number: build.build_number,
    notes: build.notes,
    platform: 'linux',
    stream: 'default',
    labels: ['beta'],
    architectures: [],
    custom_target: null,
    keep_forever: false,
  }
  assert.deepEqual(audit, [{ action: 'build.created', after }])
})

test('creates only one build when 50 clients verify an upload concurrently', async () => {
  const upload = await requestUpload(service, tenant)
  await put(upload.primary_file.presigned_data, randomBytes(1024))
  const responses = await Promise.all(
    Array.from({ length: 50 }, () => verify(service, tenant, upload.pending_upload_id)),
  )
  assert.deepEqual([...new Set(responses.map(({ status }) => status))], [200])
  const ids = new Set(responses.map(({ body }) => body.build_id))
  assert.equal(ids.size, 1)
  const [id] = ids
  const events = await service.deps.db
    .selectFrom('audit_entries')
    .select('id')
    .where('subject_id', '=', id as string)
    .execute()
  assert.equal(events.length, 1)
})

test(
  'names a damaged part in the error and rejects the upload until that part is uploaded again',
  folderOnly,
  async () => {
    const parts = [randomBytes(300_000), randomBytes(1000), randomBytes(300_000)]
    const whole = Buffer.concat(parts)
    const { pending_upload_id: id } = await requestUpload(service, tenant, {
      primary_file: { filename: 'app.7z', size_bytes: whole.length },
    })
    const etags = await Promise.all(parts.map((bytes, index) => sendPart(id, index + 1, bytes)))
    const list = etags.map((ETag, index) => ({ PartNumber: index + 1, ETag }))
    const { key, staged } = await stagedParts(id)
    const path = join(service.dataDir, 'storage/staging', key.slice(-2), key, staged[1]?.name ?? '')
    const damaged = Buffer.from(parts[1] ?? '')
    damaged[500] = (damaged[500] ?? 0) ^ 1
    await writeFile(path, damaged)
    const rejected = await verify(service, tenant, id, list)
    assert.equal(rejected.status, 400)
    assert.equal(rejected.body.code, 'upload.part_damaged')
    assert.match(rejected.body.errors.primary_file[0], /^Part 2 of "app.7z" was damaged in storage\./)
    assert.deepEqual(
      (await stagedParts(id)).staged.map(({ partNumber }) => partNumber),
      [1, 3],
    )
    assert.match((await verify(service, tenant, id, list)).body.message, /part 2 .* has not been uploaded/)
    await sendPart(id, 2, parts[1] ?? Buffer.alloc(0))
    const { status, body } = await verify(service, tenant, id, list)
    assert.equal(status, 200)
    assert.equal(body.build.primary_file.checksum_sha256, createHash('sha256').update(whole).digest('hex'))
    assert.equal(body.build.primary_file.checksum_md5, createHash('md5').update(whole).digest('hex'))
  },
)

test(
  'sets checksum_error for a file that is damaged before its checksums are computed',
  folderOnly,
  async () => {
    const parts = [randomBytes(1000), randomBytes(1000)]
    const { pending_upload_id: id } = await requestUpload(service, tenant, {
      primary_file: { filename: 'app.7z', size_bytes: 2000 },
    })
    for (const [index, bytes] of parts.entries()) await sendPart(id, index + 1, bytes)
    const { build } = (await verify(service, tenant, id)).body
    const { db } = service.deps
    const fileId = build.primary_file.id
    // Simulates a verify call that left the checksums to the background job.
    const unknown = { checksum_md5: null, checksum_sha256: null }
    const { object_key: key } = await db
      .updateTable('files')
      .set(unknown)
      .where('id', '=', fileId)
      .returning('object_key')
      .executeTakeFirstOrThrow()
    const folder = join(service.dataDir, 'storage/objects', key.slice(-2), key)
    const [name = ''] = await readdir(folder)
    await writeFile(join(folder, name), randomBytes(1000))
    await hashFile.handle(service.deps, { fileId }, new AbortController().signal)
    const path = `/applications/${tenant.applicationId}/builds/${build.id}`
    const { primary_file } = (await service.call('GET', path, { key: tenant.applicationKey })).body.data
    const { checksum_md5, checksum_sha256, checksum_error } = primary_file
    assert.deepEqual({ checksum_md5, checksum_sha256 }, unknown)
    assert.match(checksum_error, /differ from the uploaded bytes/)
  },
)

test(
  'keeps the four newest attempts to upload a part, rejects overlong part lists and reports at most 20 errors',
  folderOnly,
  async () => {
    const { pending_upload_id: id } = await requestUpload(service, tenant, {
      primary_file: { filename: 'app.7z', size_bytes: 5_000_000 },
    })
    const etags: string[] = []
    for (let n = 0; n < 12; n++) {
      etags.push(await sendPart(id, 1, randomBytes(8)))
      // The order of attempts within one tick of the file system's clock is undefined. Ticks take at most 10 ms.
      await pause(20)
    }
    const { staged } = await stagedParts(id)
    assert.deepEqual(staged.map(({ etag }) => `"${etag}"`).toSorted(), etags.slice(-4).toSorted())
    const list = (length: number) => Array.from({ length }, () => ({ PartNumber: 1, ETag: 'f' }))
    const tooLong = await verify(service, tenant, id, list(10_001))
    assert.equal(tooLong.status, 400)
    assert.match(tooLong.body.errors.multipart_chunks[0], /lists 10001 parts, .* at most 10000\./)
    const wrong = await verify(service, tenant, id, list(10_000))
    assert.equal(Object.keys(wrong.body.errors).length, 20)
  },
)

async function sendPart(pending_upload_id: string, part_number: number, bytes: Buffer): Promise<string> {
  const body = { pending_upload_id, part_number, content_length: bytes.length }
  const part = await service.call('POST', '/upload/request/multipart', { key: tenant.applicationKey, body })
  return (await put(part.body.part_presigned_url, bytes)).etag
}

async function stagedParts(id: string) {
  const { db, storage } = service.deps
  const { object_key: key } = await db
    .selectFrom('pending_upload_files')
    .select('object_key')
    .where('pending_upload_id', '=', id)
    .executeTakeFirstOrThrow()
  return { key, staged: await storage.listStaged(key, '') }
}
