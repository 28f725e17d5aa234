import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditEntry } from '../../../test/audit.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { put, requested, uploadBody, uploadedBuild, verify } from '../../../test/uploading.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const send = (method: string, path: string, body?: unknown, of = tenant) =>
  service.call(method, `/applications/${of.applicationId}/streams${path}`, { key: of.applicationKey, body })

test('creating a stream, trimmed name, the row and the audit entry say what the answer says', async () => {
  const { status, body } = await send('POST', '', { name: ' Beta ', retention_days: 30 })
  assert.equal(status, 201)
  const { id, name, description, retention_days, application_id } = body.data
  assert.deepEqual([name, description, retention_days], ['Beta', null, 30])
  assert.equal(application_id, tenant.applicationId)
  assert.deepEqual((await send('GET', `/${id}`)).body.data, body.data)
  const entry = await auditEntry(service, id)
  assert.equal(entry.action, 'stream.created')
  assert.equal(entry.before, null)
  assert.deepEqual(entry.after, { name: 'Beta', description: null, retention_days: 30 })
})

test('creating a stream, a name that differs by case alone, 409', async () => {
  const { status, body } = await send('POST', '', { name: 'DEFAULT' })
  assert.equal(status, 409)
  assert.equal(body.code, 'stream.name_taken')
})

test('twenty requests for the same new stream at once, one is made and nineteen get 409', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => send('POST', '', { name: 'at once' })))
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, ...Array(19).fill(409)],
  )
})

for (const [body, field] of [
  [{}, 'name'],
  [{ name: ' ' }, 'name'],
  [{ name: 'x'.repeat(101) }, 'name'],
  [{ name: 'x', retention_days: 0 }, 'retention_days'],
  [{ name: 'x', retention_days: 1.5 }, 'retention_days'],
  [{ name: 'x', description: 'x'.repeat(1001) }, 'description'],
] as const) {
  test(`creating a stream with ${JSON.stringify(body).slice(0, 60)}, 422 names ${field}`, async () => {
    const answer = await send('POST', '', body)
    assert.equal(answer.status, 422)
    assert.ok(field in answer.body.errors)
  })
}

test('changing a stream by its name, only the given fields change and null clears', async () => {
  const { body } = await send('POST', '', { name: 'given', description: 'words', retention_days: 3 })
  const changed = await send('PATCH', '/given', { retention_days: null })
  assert.equal(changed.status, 200)
  const { name, description, retention_days } = changed.body.data
  assert.deepEqual([name, description, retention_days], ['given', 'words', null])
  const entry = await auditEntry(service, body.data.id)
  assert.equal((entry.before as { retention_days: number }).retention_days, 3)
  assert.equal((entry.after as { retention_days: number | null }).retention_days, null)
})

test('changing a stream to a name that is there, 409; with no known field, 422', async () => {
  await send('POST', '', { name: 'first' })
  await send('POST', '', { name: 'second' })
  assert.equal((await send('PATCH', '/second', { name: 'First' })).body.code, 'stream.name_taken')
  assert.equal((await send('PATCH', '/second', {})).status, 422)
  assert.equal((await send('PATCH', '/second', { unknown: 1 })).status, 422)
})

test('deleting an empty stream, it is gone', async () => {
  const { body } = await send('POST', '', { name: 'empty' })
  assert.equal((await send('DELETE', '/empty')).status, 200)
  assert.equal((await send('GET', `/${body.data.id}`)).status, 404)
  const entry = await auditEntry(service, body.data.id)
  assert.equal(entry.action, 'stream.deleted')
  assert.equal((entry.before as { name: string }).name, 'empty')
})

test('deleting a stream with builds, 409 until move_to names another stream of the application', async () => {
  const of = await service.tenant()
  const other = await service.tenant()
  const foreign = (await send('GET', '/stable', undefined, other)).body.data.id
  const { build } = await uploadedBuild(service, of)
  const trashed = (await uploadedBuild(service, of)).build
  await service.deps.db
    .updateTable('builds')
    .set({ deleted_at: new Date() })
    .where('id', '=', trashed.id)
    .execute()

  const refused = await send('DELETE', '/default', undefined, of)
  assert.equal(refused.status, 409)
  assert.equal(refused.body.code, 'stream.in_use')
  for (const moveTo of ['nothing', foreign, 'default'])
    assert.equal((await send('DELETE', `/default?move_to=${moveTo}`, undefined, of)).status, 422, moveTo)

  assert.equal((await send('DELETE', '/default?move_to=stable', undefined, of)).status, 200)
  const rows = await service.deps.db
    .selectFrom('builds')
    .innerJoin('streams', 'streams.id', 'builds.stream_id')
    .select('streams.name')
    .where('builds.id', 'in', [build.id, trashed.id])
    .execute()
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['stable', 'stable'],
  )
})

test('deleting a stream in which only the trash has a build, 409', async () => {
  const of = await service.tenant()
  const { build } = await uploadedBuild(service, of)
  await service.deps.db
    .updateTable('builds')
    .set({ deleted_at: new Date() })
    .where('id', '=', build.id)
    .execute()
  assert.equal((await send('DELETE', '/default', undefined, of)).status, 409)
})

test('an upload under way when its stream is deleted, ends in the stream that took its place', async () => {
  const of = await service.tenant()
  const upload = await requested(service, of)
  assert.equal((await send('DELETE', '/default', undefined, of)).status, 409)
  assert.equal((await send('DELETE', '/default?move_to=nightlies', undefined, of)).status, 200)
  await put(upload.primary_file.presigned_data, Buffer.alloc(1024, 1))
  const verified = await verify(service, of, upload.pending_upload_id)
  assert.equal(verified.status, 200)
  assert.equal(verified.body.build.stream.name, 'nightlies')
})

test('uploads verified while their stream is deleted, every one ends as a build of the other stream', async () => {
  const of = await service.tenant()
  const uploads = await Promise.all(Array.from({ length: 8 }, () => requested(service, of)))
  await Promise.all(uploads.map((u) => put(u.primary_file.presigned_data, Buffer.alloc(1024, 2))))
  const [deleted, ...verified] = await Promise.all([
    send('DELETE', '/default?move_to=stable', undefined, of),
    ...uploads.map((upload) => verify(service, of, upload.pending_upload_id)),
  ])
  assert.equal(deleted.status, 200)
  assert.deepEqual(new Set(verified.map(({ status }) => status)), new Set([200]))
  const streams = await service.deps.db
    .selectFrom('builds')
    .innerJoin('streams', 'streams.id', 'builds.stream_id')
    .select('streams.name')
    .where('builds.application_id', '=', of.applicationId)
    .execute()
  assert.deepEqual(
    streams.map(({ name }) => name),
    Array(8).fill('stable'),
  )
})

test('uploads requested while their stream is deleted, granted or refused with 422, and those granted verify', async () => {
  const of = await service.tenant()
  const ask = () => service.call('POST', '/upload/request', { key: of.applicationKey, body: uploadBody() })
  const deleting = send('DELETE', '/default?move_to=stable', undefined, of)
  const answers = await Promise.all(Array.from({ length: 30 }, ask))
  assert.equal((await deleting).status, 200)
  for (const { status, body } of answers) {
    assert.ok([200, 422].includes(status), `${status}`)
    if (status === 422) continue
    await put(body.primary_file.presigned_data, Buffer.alloc(1024, 3))
    const verified = await verify(service, of, body.pending_upload_id)
    assert.equal(verified.status, 200, verified.text)
    assert.equal(verified.body.build.stream.name, 'stable')
  }
})
