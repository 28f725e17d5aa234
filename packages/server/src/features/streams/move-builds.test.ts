import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { copyBuild } from '../../../test/copy-builds.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { until } from '../../../test/until.ts'
import { put, requestUpload, uploadedBuild, verify } from '../../../test/uploading.ts'
import { trashExpiredBuilds } from '../builds/expire-builds.job.ts'
import { moveBuilds, moveBuildsOfDeletedStreams } from './move-builds.job.ts'

describe('move builds', () => {
  let service: Service

  before(async () => {
    service = await startService()
  })
  after(() => service.close())
  // A job of an earlier test would also move the builds of later tests.
  beforeEach(() =>
    until('no job moves builds', async () => {
      const { rows } = await sql`select from pgboss.job
      where name = ${moveBuilds.name} and state in ('created', 'retry', 'active')`.execute(service.deps.db)
      return rows.length === 0
    }),
  )

  const send = (tenant: Tenant, method: string, path: string, body?: unknown) =>
    service.call(method, `/applications/${tenant.applicationId}${path}`, { key: tenant.workspaceKey, body })

  const idOf = async (tenant: Tenant, name: string) =>
    (await send(tenant, 'GET', `/streams/${name}`)).body.data.id

  /** Creates a deleted stream with `count` builds that the job has not moved yet. */
  async function deletedStream(count: number, { from = 'default', to = 'stable' } = {}) {
    const tenant = await service.tenant()
    const { build } = await uploadedBuild(service, tenant)
    await copyBuild(service, build.id, count - 1)
    const [fromId, toId] = [await idOf(tenant, from), await idOf(tenant, to)]
    await markMoving(fromId, toId, tenant)
    return { tenant, build, fromId, toId }
  }

  async function markMoving(fromId: string, toId: string, tenant: Tenant): Promise<void> {
    const actor = { via: 'api-key', id: null, name: 'Ann', workspaceId: tenant.workspaceId }
    await sql`update streams set moving_to = ${toId}, moved_by = ${JSON.stringify({ actor, address: '10.1.2.3' })}::jsonb
    where id = ${fromId}`.execute(service.deps.db)
  }

  async function buildsIn(streamId: string): Promise<number> {
    const { rows } = await sql<{
      count: number
    }>`select count(*) from builds where stream_id = ${streamId}`.execute(service.deps.db)
    return rows[0]!.count
  }

  async function count(tenant: Tenant, name: string): Promise<number> {
    const { rows } = await sql<{ count: number }>`select
    (select count(*) from events where application_id = ${tenant.applicationId} and name = ${name})
    + (select count(*) from audit_entries where application_id = ${tenant.applicationId} and action = ${name}) as count`.execute(
      service.deps.db,
    )
    return rows[0]!.count
  }

  const streamExists = async (id: string) =>
    (await service.deps.db.selectFrom('streams').select('id').where('id', '=', id).execute()).length > 0

  /** Moves builds until these streams are deleted. A run skips a stream that the job of a request has locked. */
  const untilMoved = (...ids: string[]) =>
    until('the streams are deleted', async () => {
      await moveBuildsOfDeletedStreams(service.deps)
      return !(await Promise.all(ids.map(streamExists))).includes(true)
    })

  test('immediately lists all 1,300 builds of a deleted stream in the target stream', async () => {
    const tenant = await service.tenant()
    const { build } = await uploadedBuild(service, tenant)
    await copyBuild(service, build.id, 1_299)
    const fromId = await idOf(tenant, 'default')
    const response = await send(tenant, 'DELETE', '/streams/default?move_to=stable')
    assert.equal(response.status, 200)
    assert.equal(
      (await send(tenant, 'GET', '/builds?streams=stable&per_page=1')).body.pagination.total,
      1_300,
    )
    assert.equal((await send(tenant, 'GET', `/streams/${fromId}`)).status, 404)
    while (await streamExists(fromId)) await pause(30)
    assert.equal(await buildsIn(await idOf(tenant, 'stable')), 1_300)
    assert.deepEqual(
      [
        await count(tenant, 'build.moved'),
        await count(tenant, 'build.moved.stream'),
        await count(tenant, 'build.updated'),
      ],
      [1_300, 1_300, 1_300],
    )
    assert.equal(
      (await send(tenant, 'GET', '/builds?streams=stable&per_page=1')).body.pagination.total,
      1_300,
    )
  })

  test('shows builds in the target stream and hides the deleted stream while the move is pending', async () => {
    const { tenant, build, fromId, toId } = await deletedStream(3)
    assert.equal((await send(tenant, 'GET', `/builds/${build.id}`)).body.data.stream.id, toId)
    for (const shown of (await send(tenant, 'GET', '/builds')).body.data)
      assert.equal(shown.stream.name, 'stable')
    assert.equal((await send(tenant, 'GET', '/builds?streams=stable')).body.pagination.total, 3)
    assert.equal((await send(tenant, 'GET', `/builds?streams=${toId},nightlies`)).body.pagination.total, 3)
    assert.equal((await send(tenant, 'GET', '/builds?streams=default')).status, 422)
    assert.equal((await send(tenant, 'GET', `/builds?streams=${fromId}`)).status, 422)
    assert.equal((await send(tenant, 'GET', '/streams/stable/retention-preview')).body.pagination.total, 3)
    assert.deepEqual(
      (await send(tenant, 'GET', '/streams')).body.data.map(({ name }: { name: string }) => name),
      ['nightlies', 'stable'],
    )
    for (const [method, path, body] of [
      ['GET', `/streams/${fromId}`, undefined],
      ['PATCH', `/streams/${fromId}`, { name: 'x' }],
      ['DELETE', `/streams/${fromId}`, undefined],
    ] as const)
      assert.equal((await send(tenant, method, path, body)).status, 404)
    assert.equal((await send(tenant, 'PATCH', `/builds/${build.id}`, { stream: fromId })).status, 422)

    assert.equal((await send(tenant, 'POST', '/streams', { name: 'Default' })).status, 201)
    await moveBuildsOfDeletedStreams(service.deps)
    assert.equal(await streamExists(fromId), false)
    assert.equal(await buildsIn(toId), 3)
    assert.equal((await send(tenant, 'GET', '/builds?streams=Default')).body.pagination.total, 0)
  })

  test('records a move only once if a client moves the build before the background job does', async () => {
    const { tenant, build, toId } = await deletedStream(2)
    assert.equal((await send(tenant, 'PATCH', `/builds/${build.id}`, { notes: 'x' })).status, 200)
    assert.equal(await count(tenant, 'build.moved'), 0)
    assert.equal((await send(tenant, 'PATCH', `/builds/${build.id}`, { stream: 'stable' })).status, 200)
    assert.equal(await count(tenant, 'build.moved'), 1)
    await moveBuildsOfDeletedStreams(service.deps)
    assert.equal(await count(tenant, 'build.moved'), 2)
    assert.equal(await buildsIn(toId), 2)
    const entry = await service.deps.db
      .selectFrom('audit_entries')
      .select([
        'actor_name',
        sql<string>`host(address)`.as('address'),
        sql<string>`before ->> 'stream'`.as('from'),
      ])
      .where('application_id', '=', tenant.applicationId)
      .where('actor_name', '=', 'Ann')
      .executeTakeFirstOrThrow()
    assert.deepEqual(entry, { actor_name: 'Ann', address: '10.1.2.3', from: 'default' })
  })

  test('redirects a pending move to the stream in move_to when the target stream is deleted', async () => {
    const { tenant, fromId, toId } = await deletedStream(3)
    const rejected = await send(tenant, 'DELETE', '/streams/stable')
    assert.deepEqual([rejected.status, rejected.body.code], [409, 'stream.in_use'])
    assert.equal((await send(tenant, 'DELETE', '/streams/stable?move_to=nightlies')).status, 200)
    assert.equal((await send(tenant, 'GET', '/builds?streams=nightlies')).body.pagination.total, 3)
    await untilMoved(fromId, toId)
    assert.equal(await buildsIn(await idOf(tenant, 'nightlies')), 3)
  })

  test('returns 409 for a request to delete a stream that is the target of a pending move', async () => {
    const { tenant, toId } = await deletedStream(1)
    await sql`update builds set stream_id = ${await idOf(tenant, 'nightlies')}
    where application_id = ${tenant.applicationId}`.execute(service.deps.db)
    const rejected = await send(tenant, 'DELETE', `/streams/${toId}`)
    assert.deepEqual([rejected.status, rejected.body.code], [409, 'stream.in_use'])
    await moveBuildsOfDeletedStreams(service.deps)
    assert.equal((await send(tenant, 'DELETE', `/streams/${toId}`)).status, 200)
  })

  test('creates builds in the target stream from uploads verified before or after the move', async () => {
    const { tenant, fromId, toId } = await deletedStream(2)
    const [before, late] = [
      await requestUpload(service, tenant, { stream: 'stable' }),
      await requestUpload(service, tenant, { stream: 'stable' }),
    ]
    await sql`update pending_uploads set stream_id = ${fromId}
    where id in (${before.pending_upload_id}, ${late.pending_upload_id})`.execute(service.deps.db)
    for (const { primary_file } of [before, late])
      await put(primary_file.presigned_data, Buffer.alloc(1024, 1))
    const verified = await verify(service, tenant, before.pending_upload_id)
    assert.equal(verified.body.build.stream.id, toId, verified.text)
    await moveBuildsOfDeletedStreams(service.deps)
    assert.equal(await streamExists(fromId), false)
    assert.equal((await verify(service, tenant, late.pending_upload_id)).body.build.stream.id, toId)
    assert.equal(await buildsIn(toId), 4)
  })

  test('expires the builds of a deleted stream only after they have been moved', async () => {
    const { tenant, toId, build } = await deletedStream(2, { from: 'default', to: 'nightlies' })
    const { db } = service.deps
    await sql`update streams set retention_days = 1 where application_id = ${tenant.applicationId}`.execute(
      db,
    )
    await sql`update builds set created_at = now() - interval '3 days' where application_id = ${tenant.applicationId}`.execute(
      db,
    )
    assert.notEqual((await send(tenant, 'GET', `/builds/${build.id}`)).body.data.expires_at, null)
    await trashExpiredBuilds(service.deps)
    assert.equal((await send(tenant, 'GET', '/builds')).body.pagination.total, 2)
    await moveBuildsOfDeletedStreams(service.deps)
    await trashExpiredBuilds(service.deps)
    assert.equal((await send(tenant, 'GET', '/builds')).body.pagination.total, 0)
    assert.equal(await buildsIn(toId), 2)
  })

  test('moves all builds despite interrupted and concurrent runs and the deletion of the target stream', async () => {
    const { tenant, fromId } = await deletedStream(1_300)
    await moveBuildsOfDeletedStreams(service.deps, AbortSignal.abort())
    assert.equal(await buildsIn(fromId), 1_200)
    const [response] = await Promise.all([
      send(tenant, 'DELETE', '/streams/stable?move_to=nightlies'),
      moveBuildsOfDeletedStreams(service.deps),
      moveBuildsOfDeletedStreams(service.deps),
    ])
    assert.equal(response.status, 200, response.text)
    await untilMoved(fromId)
    const nightlies = await idOf(tenant, 'nightlies')
    while ((await buildsIn(nightlies)) < 1_300) await pause(30)
    assert.equal(await count(tenant, 'build.moved'), await count(tenant, 'build.updated'))
    assert.equal((await send(tenant, 'GET', '/builds?streams=nightlies')).body.pagination.total, 1_300)
  })
})
