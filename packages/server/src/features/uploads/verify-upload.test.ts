import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { put, requestUpload, uploadedBuild, verify } from '../../../test/uploading.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

test('creates a build with checksums, events and an audit entry', async () => {
  const { build, bytes } = await uploadedBuild(service, tenant, { labels: ['beta'] })
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
    .execute()
  assert.deepEqual(events.map(({ name }) => name).toSorted(), ['build.created', 'build.created.stream'])
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

test('creates one build when 50 clients verify at once', async () => {
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
