import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { copyBuild } from '../../../test/copy-builds.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { put, requested, uploadedBuild, verify } from '../../../test/uploading.ts'
import { trashExpiredBuilds } from '../builds/expire-builds.job.ts'
import { moveBuildsOfDeletedStreams } from './move-builds.job.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const send = (of: Tenant, method: string, path: string, body?: unknown) =>
  service.call(method, `/applications/${of.applicationId}${path}`, { key: of.workspaceKey, body })

const idOf = async (of: Tenant, name: string) => (await send(of, 'GET', `/streams/${name}`)).body.data.id

/** A stream with so many builds that was deleted, as if the job had not come round to it yet. */
async function deletedStream(count: number, { from = 'default', to = 'stable' } = {}) {
  const of = await service.tenant()
  const { build } = await uploadedBuild(service, of)
  await copyBuild(service, build.id, count - 1)
  const [fromId, toId] = [await idOf(of, from), await idOf(of, to)]
  await sleeping(fromId, toId, of)
  return { of, build, fromId, toId }
}

async function sleeping(fromId: string, toId: string, of: Tenant): Promise<void> {
  const actor = { via: 'api-key', keyId: null, name: 'Ann', workspaceId: of.workspaceId }
  await sql`update streams set moving_to = ${toId}, moved_by = ${JSON.stringify({ actor, address: '10.1.2.3' })}::jsonb
    where id = ${fromId}`.execute(service.deps.db)
}

async function buildsIn(streamId: string): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*) from builds where stream_id = ${streamId}`.execute(service.deps.db)
  return rows[0]!.count
}

async function count(of: Tenant, what: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select
    (select count(*) from events where application_id = ${of.applicationId} and name = ${what})
    + (select count(*) from audit_entries where application_id = ${of.applicationId} and action = ${what}) as count`.execute(
    service.deps.db,
  )
  return rows[0]!.count
}

const streamExists = async (id: string) =>
  (await service.deps.db.selectFrom('streams').select('id').where('id', '=', id).execute()).length > 0

test('a stream of more builds than a request moves is deleted, all are shown in the other one at once', async () => {
  const of = await service.tenant()
  const { build } = await uploadedBuild(service, of)
  await copyBuild(service, build.id, 1_299)
  const fromId = await idOf(of, 'default')
  const answer = await send(of, 'DELETE', '/streams/default?move_to=stable')
  assert.equal(answer.status, 200)
  assert.equal((await send(of, 'GET', '/builds?streams=stable&per_page=1')).body.pagination.total, 1_300)
  assert.equal((await send(of, 'GET', `/streams/${fromId}`)).status, 404)
  while (await streamExists(fromId)) await pause(30)
  assert.equal(await buildsIn(await idOf(of, 'stable')), 1_300)
  assert.deepEqual(
    [await count(of, 'build.moved'), await count(of, 'build.moved.stream'), await count(of, 'build.updated')],
    [1_300, 1_300, 1_300],
  )
  assert.equal((await send(of, 'GET', '/builds?streams=stable&per_page=1')).body.pagination.total, 1_300)
})

test('builds on their way, every read shows the stream they go to and nobody the one they lie in', async () => {
  const { of, build, fromId, toId } = await deletedStream(3)
  assert.equal((await send(of, 'GET', `/builds/${build.id}`)).body.data.stream.id, toId)
  for (const shown of (await send(of, 'GET', '/builds')).body.data) assert.equal(shown.stream.name, 'stable')
  assert.equal((await send(of, 'GET', '/builds?streams=stable')).body.pagination.total, 3)
  assert.equal((await send(of, 'GET', `/builds?streams=${toId},nightlies`)).body.pagination.total, 3)
  assert.equal((await send(of, 'GET', '/builds?streams=default')).status, 422)
  assert.equal((await send(of, 'GET', `/builds?streams=${fromId}`)).status, 422)
  assert.equal((await send(of, 'GET', '/streams/stable/retention-preview')).body.pagination.total, 3)
  assert.deepEqual(
    (await send(of, 'GET', '/streams')).body.data.map(({ name }: { name: string }) => name),
    ['nightlies', 'stable'],
  )
  for (const [method, path, body] of [
    ['GET', `/streams/${fromId}`, undefined],
    ['PATCH', `/streams/${fromId}`, { name: 'x' }],
    ['DELETE', `/streams/${fromId}`, undefined],
  ] as const)
    assert.equal((await send(of, method, path, body)).status, 404)
  assert.equal((await send(of, 'PATCH', `/builds/${build.id}`, { stream: fromId })).status, 422)

  assert.equal((await send(of, 'POST', '/streams', { name: 'Default' })).status, 201)
  await moveBuildsOfDeletedStreams(service.deps)
  assert.equal(await streamExists(fromId), false)
  assert.equal(await buildsIn(toId), 3)
  assert.equal((await send(of, 'GET', '/builds?streams=Default')).body.pagination.total, 0)
})

test('a build on its way is changed, the move is told once; sent there by name, once too', async () => {
  const { of, build, toId } = await deletedStream(2)
  assert.equal((await send(of, 'PATCH', `/builds/${build.id}`, { notes: 'x' })).status, 200)
  assert.equal(await count(of, 'build.moved'), 0)
  assert.equal((await send(of, 'PATCH', `/builds/${build.id}`, { stream: 'stable' })).status, 200)
  assert.equal(await count(of, 'build.moved'), 1)
  await moveBuildsOfDeletedStreams(service.deps)
  assert.equal(await count(of, 'build.moved'), 2)
  assert.equal(await buildsIn(toId), 2)
  const entry = await service.deps.db
    .selectFrom('audit_entries')
    .select([
      'actor_name',
      sql<string>`host(address)`.as('address'),
      sql<string>`before ->> 'stream'`.as('from'),
    ])
    .where('application_id', '=', of.applicationId)
    .where('actor_name', '=', 'Ann')
    .executeTakeFirstOrThrow()
  assert.deepEqual(entry, { actor_name: 'Ann', address: '10.1.2.3', from: 'default' })
})

test('the stream that builds are on their way to is deleted, 409 without move_to, with it they go on there', async () => {
  const { of, fromId, toId } = await deletedStream(3)
  const refused = await send(of, 'DELETE', '/streams/stable')
  assert.deepEqual([refused.status, refused.body.code], [409, 'stream.in_use'])
  assert.equal((await send(of, 'DELETE', '/streams/stable?move_to=nightlies')).status, 200)
  assert.equal((await send(of, 'GET', '/builds?streams=nightlies')).body.pagination.total, 3)
  await moveBuildsOfDeletedStreams(service.deps)
  assert.equal(await buildsIn(await idOf(of, 'nightlies')), 3)
  assert.deepEqual([await streamExists(fromId), await streamExists(toId)], [false, false])
})

test('a stream is deleted in which the last builds have arrived a moment ago, 409 until the other one is gone', async () => {
  const { of, toId } = await deletedStream(1)
  await sql`update builds set stream_id = ${await idOf(of, 'nightlies')}
    where application_id = ${of.applicationId}`.execute(service.deps.db)
  const refused = await send(of, 'DELETE', `/streams/${toId}`)
  assert.deepEqual([refused.status, refused.body.code], [409, 'stream.in_use'])
  await moveBuildsOfDeletedStreams(service.deps)
  assert.equal((await send(of, 'DELETE', `/streams/${toId}`)).status, 200)
})

test('an upload to a stream that is on its way, verified before or after it is gone, ends in the other one', async () => {
  const { of, fromId, toId } = await deletedStream(2)
  const [before, late] = [
    await requested(service, of, { stream: 'stable' }),
    await requested(service, of, { stream: 'stable' }),
  ]
  await sql`update pending_uploads set stream_id = ${fromId}
    where id in (${before.pending_upload_id}, ${late.pending_upload_id})`.execute(service.deps.db)
  for (const { primary_file } of [before, late]) await put(primary_file.presigned_data, Buffer.alloc(1024, 1))
  const verified = await verify(service, of, before.pending_upload_id)
  assert.equal(verified.body.build.stream.id, toId, verified.text)
  await moveBuildsOfDeletedStreams(service.deps)
  assert.equal(await streamExists(fromId), false)
  assert.equal((await verify(service, of, late.pending_upload_id)).body.build.stream.id, toId)
  assert.equal(await buildsIn(toId), 4)
})

test('retention leaves builds on their way alone until they are there', async () => {
  const { of, toId, build } = await deletedStream(2, { from: 'default', to: 'nightlies' })
  const { db } = service.deps
  await sql`update streams set retention_days = 1 where application_id = ${of.applicationId}`.execute(db)
  await sql`update builds set created_at = now() - interval '3 days' where application_id = ${of.applicationId}`.execute(
    db,
  )
  assert.notEqual((await send(of, 'GET', `/builds/${build.id}`)).body.data.expires_at, null)
  await trashExpiredBuilds(service.deps)
  assert.equal((await send(of, 'GET', '/builds')).body.pagination.total, 2)
  await moveBuildsOfDeletedStreams(service.deps)
  await trashExpiredBuilds(service.deps)
  assert.equal((await send(of, 'GET', '/builds')).body.pagination.total, 0)
  assert.equal(await buildsIn(toId), 2)
})

test('a run that is stopped leaves whole batches, two at once and a deletion beside them move each build once', async () => {
  const { of, fromId } = await deletedStream(1_300)
  await moveBuildsOfDeletedStreams(service.deps, AbortSignal.abort())
  assert.equal(await buildsIn(fromId), 1_200)
  const [answer] = await Promise.all([
    send(of, 'DELETE', '/streams/stable?move_to=nightlies'),
    moveBuildsOfDeletedStreams(service.deps),
    moveBuildsOfDeletedStreams(service.deps),
  ])
  assert.equal(answer.status, 200, answer.text)
  for (let turn = 0; turn < 3; turn++) await moveBuildsOfDeletedStreams(service.deps)
  assert.equal(await streamExists(fromId), false)
  const nightlies = await idOf(of, 'nightlies')
  while ((await buildsIn(nightlies)) < 1_300) await pause(30)
  assert.equal(await count(of, 'build.moved'), await count(of, 'build.updated'))
  assert.equal((await send(of, 'GET', '/builds?streams=nightlies')).body.pagination.total, 1_300)
})
