import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditEntry } from '../../../test/audit.ts'
import { copyBuild } from '../../../test/copy-builds.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { untilLockWait } from '../../../test/lock-waits.ts'
import { put, requestUpload, uploadBody, uploadedBuild, verify } from '../../../test/uploading.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const send = (
  method: string,
  path: string,
  body?: unknown,
  { applicationId, applicationKey: key } = tenant,
) => service.call(method, `/applications/${applicationId}/streams${path}`, { key, body })

test('trims the name of a new stream in responses and the audit log', async () => {
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

test('rejects a stream whose name differs from an existing name only in case', async () => {
  const { status, body } = await send('POST', '', { name: 'DEFAULT' })
  assert.equal(status, 409)
  assert.equal(body.code, 'stream.name_taken')
})

test('creates only one stream when 20 clients request the same name concurrently', async () => {
  const responses = await Promise.all(Array.from({ length: 20 }, () => send('POST', '', { name: 'at once' })))
  assert.deepEqual(
    responses.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, ...Array(19).fill(409)],
  )
})

test('accepts names with dots that URLs can contain', async () => {
  for (const name of ['...', '.hidden', '2.x', 'a..b'])
    assert.equal((await send('POST', '', { name })).status, 201, name)
})

for (const [flaw, body, field] of [
  ['no name', {}, 'name'],
  ['a blank name', { name: ' ' }, 'name'],
  ['a name of 101 characters', { name: 'x'.repeat(101) }, 'name'],
  ['the name ".."', { name: ' .. ' }, 'name'],
  ['the name "."', { name: '.' }, 'name'],
  ['a retention period of 0 days', { name: 'x', retention_days: 0 }, 'retention_days'],
  ['a retention period of 1.5 days', { name: 'x', retention_days: 1.5 }, 'retention_days'],
  ['a description of 1,001 characters', { name: 'x', description: 'x'.repeat(1001) }, 'description'],
] as const) {
  test(`rejects a stream with ${flaw}`, async () => {
    const response = await send('POST', '', body)
    assert.equal(response.status, 422)
    assert.ok(field in response.body.errors)
  })
}

test('updates only the stream fields included in the request and clears fields set to null', async () => {
  const { body } = await send('POST', '', { name: 'given', description: 'words', retention_days: 3 })
  const changed = await send('PATCH', '/given', { retention_days: null })
  assert.equal(changed.status, 200)
  const { name, description, retention_days } = changed.body.data
  assert.deepEqual([name, description, retention_days], ['given', 'words', null])
  const entry = await auditEntry(service, body.data.id)
  assert.equal((entry.before as { retention_days: number }).retention_days, 3)
  assert.equal((entry.after as { retention_days: number | null }).retention_days, null)
})

test('rejects a stream update that uses an existing name or contains no known fields', async () => {
  await send('POST', '', { name: 'first' })
  await send('POST', '', { name: 'second' })
  assert.equal((await send('PATCH', '/second', { name: 'First' })).body.code, 'stream.name_taken')
  assert.equal((await send('PATCH', '/second', {})).status, 422)
  assert.equal((await send('PATCH', '/second', { unknown: 1 })).status, 422)
})

test('deletes an empty stream', async () => {
  const { body } = await send('POST', '', { name: 'empty' })
  assert.equal((await send('DELETE', '/empty')).status, 200)
  assert.equal((await send('GET', `/${body.data.id}`)).status, 404)
  const entry = await auditEntry(service, body.data.id)
  assert.equal(entry.action, 'stream.deleted')
  assert.equal((entry.before as { name: string }).name, 'empty')
})

test('deletes a stream with builds only if move_to is another stream in the same application', async () => {
  const own = await service.tenant()
  const other = await service.tenant()
  const foreign = (await send('GET', '/stable', undefined, other)).body.data.id
  const { build } = await uploadedBuild(service, own)
  const trashed = (await uploadedBuild(service, own)).build
  await service.deps.db
    .updateTable('builds')
    .set({ deleted_at: new Date() })
    .where('id', '=', trashed.id)
    .execute()

  const rejected = await send('DELETE', '/default', undefined, own)
  assert.equal(rejected.status, 409)
  assert.equal(rejected.body.code, 'stream.in_use')
  for (const moveTo of ['nothing', foreign, 'default'])
    assert.equal((await send('DELETE', `/default?move_to=${moveTo}`, undefined, own)).status, 422, moveTo)

  assert.equal((await send('DELETE', '/default?move_to=stable', undefined, own)).status, 200)
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

test('refuses to delete a stream whose only build is in the trash', async () => {
  const own = await service.tenant()
  const { build } = await uploadedBuild(service, own)
  await service.deps.db
    .updateTable('builds')
    .set({ deleted_at: new Date() })
    .where('id', '=', build.id)
    .execute()
  assert.equal((await send('DELETE', '/default', undefined, own)).status, 409)
})

test('moves unfinished uploads from a deleted stream to the stream specified in move_to', async () => {
  const own = await service.tenant()
  const upload = await requestUpload(service, own)
  assert.equal((await send('DELETE', '/default', undefined, own)).status, 409)
  assert.equal((await send('DELETE', '/default?move_to=nightlies', undefined, own)).status, 200)
  await put(upload.primary_file.presigned_data, Buffer.alloc(1024, 1))
  const verified = await verify(service, own, upload.pending_upload_id)
  assert.equal(verified.status, 200)
  assert.equal(verified.body.build.stream.name, 'nightlies')
})

test('moves every upload verified during the deletion of its stream to the target stream', async () => {
  const own = await service.tenant()
  const uploads = await Promise.all(Array.from({ length: 8 }, () => requestUpload(service, own)))
  await Promise.all(uploads.map((u) => put(u.primary_file.presigned_data, Buffer.alloc(1024, 2))))
  const [deleted, ...verified] = await Promise.all([
    send('DELETE', '/default?move_to=stable', undefined, own),
    ...uploads.map((upload) => verify(service, own, upload.pending_upload_id)),
  ])
  assert.equal(deleted.status, 200)
  assert.deepEqual(new Set(verified.map(({ status }) => status)), new Set([200]))
  const streams = await service.deps.db
    .selectFrom('builds')
    .innerJoin('streams', 'streams.id', 'builds.stream_id')
    .select('streams.name')
    .where('builds.application_id', '=', own.applicationId)
    .execute()
  assert.deepEqual(
    streams.map(({ name }) => name),
    Array(8).fill('stable'),
  )
})

test('verifies every upload that is successfully requested during the deletion of its stream', async () => {
  const own = await service.tenant()
  const request = () =>
    service.call('POST', '/upload/request', { key: own.applicationKey, body: uploadBody() })
  const deleting = send('DELETE', '/default?move_to=stable', undefined, own)
  const responses = await Promise.all(Array.from({ length: 30 }, request))
  assert.equal((await deleting).status, 200)
  for (const { status, body } of responses) {
    assert.ok([200, 422].includes(status), `${status}`)
    if (status === 422) continue
    await put(body.primary_file.presigned_data, Buffer.alloc(1024, 3))
    const verified = await verify(service, own, body.pending_upload_id)
    assert.equal(verified.status, 200, verified.text)
    assert.equal(verified.body.build.stream.name, 'stable')
  }
})

test('records a move for each build of a deleted stream, except for builds in the trash', async () => {
  const own = await service.tenant()
  const { build } = await uploadedBuild(service, own, { labels: ['beta'] })
  const trashed = (await uploadedBuild(service, own)).build
  await service.call('DELETE', `/applications/${own.applicationId}/builds/${trashed.id}`, {
    key: own.workspaceKey,
  })
  await copyBuild(service, build.id, 450)
  assert.equal((await send('DELETE', '/default?move_to=stable', undefined, own)).status, 200)

  const { db } = service.deps
  const eventsNamed = (name: string) =>
    db
      .selectFrom('events')
      .select('data')
      .where('application_id', '=', own.applicationId)
      .where('name', '=', name)
      .execute()
  type Moved = { build: { id: string; stream: { name: string } }; stream?: { name: string } }
  const [moved, movedStream] = [await eventsNamed('build.moved'), await eventsNamed('build.moved.stream')]
  for (const rows of [moved, movedStream]) {
    const moves = rows.map(({ data }) => data as Moved)
    assert.equal(new Set(moves.map((each) => each.build.id)).size, 451)
    assert.equal(rows.length, 451)
    assert.ok(moves.every((each) => each.build.stream.name === 'stable'))
  }
  assert.equal((movedStream[0]!.data as Moved).stream?.name, 'stable')

  const single = await service.call('GET', `/applications/${own.applicationId}/builds/${build.id}`, {
    key: own.workspaceKey,
  })
  const event = moved.find(({ data }) => (data as Moved).build.id === build.id)
  assert.deepEqual((event!.data as Moved).build, single.body.data)
  const entry = await auditEntry(service, build.id)
  const streams = [entry.before, entry.after].map((state) => (state as { stream: string }).stream)
  assert.deepEqual([entry.action, ...streams], ['build.updated', 'default', 'stable'])
})

test('returns 409 and does not move builds when the stream in move_to is deleted concurrently', async () => {
  const own = await service.tenant()
  const { build } = await uploadedBuild(service, own)
  const stable = (await send('GET', '/stable', undefined, own)).body.data.id as string
  const { db } = service.deps
  const [release, deleted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const deleting = db.transaction().execute(async (tx) => {
    await tx.deleteFrom('streams').where('id', '=', stable).execute()
    deleted.resolve()
    await release.promise
  })
  await deleted.promise
  const response = send('DELETE', '/default?move_to=stable', undefined, own)
  await untilLockWait(db)
  release.resolve()
  await deleting
  const { status, body } = await response
  assert.deepEqual([status, body.code], [409, 'stream.target_gone'])
  const path = `/applications/${own.applicationId}/builds/${build.id}`
  const unmoved = await service.call('GET', path, { key: own.workspaceKey })
  assert.equal(unmoved.body.data.stream.name, 'default')
})

test('keeps all builds in one stream when two streams are deleted concurrently, each into the other', async () => {
  const own = await service.tenant()
  await uploadedBuild(service, own)
  await uploadedBuild(service, own, { stream: 'stable' })
  const responses = await Promise.all([
    send('DELETE', '/default?move_to=stable', undefined, own),
    send('DELETE', '/stable?move_to=default', undefined, own),
  ])
  const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b)
  assert.equal(statuses[0], 200)
  assert.ok([404, 409, 422].includes(statuses[1]!), String(statuses[1]))
  const list = await service.call('GET', `/applications/${own.applicationId}/builds`, {
    key: own.workspaceKey,
  })
  const names = list.body.data.map((build: { stream: { name: string } }) => build.stream.name)
  assert.equal(new Set(names).size, 1)
  assert.equal(names.length, 2)
})
