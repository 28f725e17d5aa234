import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { auditEntry } from '../../../test/audit.ts'
import { copyBuild } from '../../../test/copy-builds.ts'
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

test('a stream deleted with its builds moved, each build tells of it as of a single move, the trash does not', async () => {
  const of = await service.tenant()
  const { build } = await uploadedBuild(service, of, { labels: ['beta'] })
  const trashed = (await uploadedBuild(service, of)).build
  await service.call('DELETE', `/applications/${of.applicationId}/builds/${trashed.id}`, {
    key: of.workspaceKey,
  })
  await copyBuild(service, build.id, 450)
  assert.equal((await send('DELETE', '/default?move_to=stable', undefined, of)).status, 200)

  const { db } = service.deps
  const of450 = (name: string) =>
    db
      .selectFrom('events')
      .select('data')
      .where('application_id', '=', of.applicationId)
      .where('name', '=', name)
      .execute()
  type Told = { build: { id: string; stream: { name: string } }; stream?: { name: string } }
  const [moved, movedStream] = [await of450('build.moved'), await of450('build.moved.stream')]
  for (const rows of [moved, movedStream]) {
    const told = rows.map(({ data }) => data as Told)
    assert.equal(new Set(told.map((each) => each.build.id)).size, 451)
    assert.equal(rows.length, 451)
    assert.ok(told.every((each) => each.build.stream.name === 'stable'))
  }
  assert.equal((movedStream[0]!.data as Told).stream?.name, 'stable')

  const single = await service.call('GET', `/applications/${of.applicationId}/builds/${build.id}`, {
    key: of.workspaceKey,
  })
  const own = moved.find(({ data }) => (data as Told).build.id === build.id)
  assert.deepEqual((own!.data as Told).build, single.body.data)
  const entry = await auditEntry(service, build.id)
  const streams = [entry.before, entry.after].map((state) => (state as { stream: string }).stream)
  assert.deepEqual([entry.action, ...streams], ['build.updated', 'default', 'stable'])
})

test('the stream of move_to deleted at the same time, 409 and the builds stay where they are', async () => {
  const of = await service.tenant()
  const { build } = await uploadedBuild(service, of)
  const stable = (await send('GET', '/stable', undefined, of)).body.data.id as string
  const { db } = service.deps
  const [gone, deleted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const deleting = db.transaction().execute(async (tx) => {
    await tx.deleteFrom('streams').where('id', '=', stable).execute()
    deleted.resolve()
    await gone.promise
  })
  await deleted.promise
  const answer = send('DELETE', '/default?move_to=stable', undefined, of)
  while ((await waiting()) === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  gone.resolve()
  await deleting
  const { status, body } = await answer
  assert.deepEqual([status, body.code], [409, 'stream.target_gone'])
  const { stream } = (
    await service.call('GET', `/applications/${of.applicationId}/builds/${build.id}`, {
      key: of.workspaceKey,
    })
  ).body.data
  assert.equal(stream.name, 'default')

  async function waiting(): Promise<number> {
    const { rows } = await sql<{ waits: number }>`select count(*) as waits from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return Number(rows[0]?.waits)
  }
})

test('two streams deleted at once, each into the other, one is left with all builds', async () => {
  const of = await service.tenant()
  await uploadedBuild(service, of)
  await uploadedBuild(service, of, { stream: 'stable' })
  const answers = await Promise.all([
    send('DELETE', '/default?move_to=stable', undefined, of),
    send('DELETE', '/stable?move_to=default', undefined, of),
  ])
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
  assert.equal(statuses[0], 200)
  assert.ok([404, 409, 422].includes(statuses[1]!), String(statuses[1]))
  const list = await service.call('GET', `/applications/${of.applicationId}/builds`, { key: of.workspaceKey })
  const names = list.body.data.map((build: { stream: { name: string } }) => build.stream.name)
  assert.equal(new Set(names).size, 1)
  assert.equal(names.length, 2)
})
