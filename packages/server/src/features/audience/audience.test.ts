import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { copyBuild } from '../../../test/copy-builds.ts'
import { groupCalls } from '../../../test/distribution-groups.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { insertMember } from '../../../test/people.ts'
import { uploadedBuild, versionOf } from '../../../test/uploading.ts'
import { inTransaction } from '../../database/transaction.ts'
import { listStreamsLedByRelease } from '../releases/release-build.db.ts'

let service: Service
let tenant: Tenant
let calls: ReturnType<typeof groupCalls>

before(async () => {
  service = await startService()
  tenant = await service.tenant()
  calls = groupCalls(service, tenant)
})
after(() => service.close())

const send = (method: string, path: string, body?: unknown) =>
  service.call(method, path, { key: tenant.workspaceKey, body })

async function createDraft(): Promise<string> {
  const fields = { title: 'Next', draft: true, ...versionOf(2, 0, 0) }
  const { status, body, text } = await send('POST', `/applications/${tenant.applicationId}/releases`, fields)
  assert.equal(status, 201, text)
  return body.data.id
}

async function audienceOf(releaseId: string) {
  const { status, body, text } = await send(
    'GET',
    `/applications/${tenant.applicationId}/releases/${releaseId}/audience`,
  )
  assert.equal(status, 200, text)
  return body.data
}

test('counts each person to notify once, and only in active groups with notify', async () => {
  const { group, share, add } = calls
  const releaseId = await createDraft()
  assert.deepEqual(await audienceOf(releaseId), {
    to_notify_count: 0,
    groups: [],
    portals: [],
    share_link_count: 0,
    streams: [],
    channels: [],
  })
  const one = await group(['ada@example.com', 'bea@example.com'], { name: 'Audience one' })
  const two = await group(['ADA@example.com', 'cy@example.com'], { name: 'Audience two' })
  const quiet = await group(['dan@example.com'], { name: 'Audience quiet' })
  const idle = await group(['eve@example.com'], { name: 'Audience idle' })
  await share(one, releaseId)
  await share(two, releaseId)
  await share(quiet, releaseId, false)
  await share(idle, releaseId)
  await send('PATCH', `/distribution-groups/${idle}`, { is_active: false })
  const before = await audienceOf(releaseId)
  assert.equal(before.to_notify_count, 3)
  const published = await send('POST', `/applications/${tenant.applicationId}/releases/${releaseId}/publish`)
  assert.equal(published.body.notified_count, 3)
  await add(one, ['flo@example.com'])
  const after = await audienceOf(releaseId)
  assert.equal(after.to_notify_count, 1)
  assert.deepEqual(
    after.groups.map(({ name, is_active, notify, tester_count, notified_count }: Record<string, unknown>) => [
      name,
      is_active,
      notify,
      tester_count,
      notified_count,
    ]),
    [
      ['Audience idle', false, true, 1, 0],
      ['Audience one', true, true, 3, 2],
      ['Audience quiet', true, false, 1, 0],
      ['Audience two', true, true, 2, 2],
    ],
  )
})

test('counts only the members of the workspace in an internal group', async () => {
  const { group, share } = calls
  const releaseId = await createDraft()
  await insertMember(service, tenant, { email: 'inside@example.com' })
  const id = await group(['inside@example.com'], { type: 'internal' })
  await share(id, releaseId)
  const { db } = service.deps
  await db
    .deleteFrom('workspace_members')
    .where('workspace_id', '=', tenant.workspaceId)
    .where('user_id', 'in', db.selectFrom('users').select('id').where('email', '=', 'inside@example.com'))
    .execute()
  const { to_notify_count, groups } = await audienceOf(releaseId)
  assert.deepEqual([to_notify_count, groups[0].tester_count], [0, 0])
})

test('reports for each portal with the application whether it includes the release', async () => {
  const releaseId = await createDraft()
  const portals: Record<string, string> = {}
  for (const mode of ['all', 'none', 'selective']) {
    const { body } = await send('POST', '/portals', { name: `Portal ${mode}`, type: 'public' })
    portals[mode] = body.data.id
    await send('PUT', `/portals/${body.data.id}/applications/${tenant.applicationId}`, {
      streams_mode: 'none',
      releases_mode: mode,
    })
  }
  const included = async () =>
    (await audienceOf(releaseId)).portals.map(
      ({ releases_mode, is_included }: { releases_mode: string; is_included: boolean }) => [
        releases_mode,
        is_included,
      ],
    )
  const common = [
    ['all', true],
    ['none', false],
  ]
  assert.deepEqual(await included(), [...common, ['selective', false]])
  await send('POST', `/portals/${portals['selective']}/releases`, { release_id: releaseId })
  assert.deepEqual(await included(), [...common, ['selective', true]])
})

test('counts the share links that can be used', async () => {
  const releaseId = await createDraft()
  const at = `/applications/${tenant.applicationId}/releases/${releaseId}/share-links`
  const { body } = await send('POST', at, {})
  await send('POST', at, {})
  await send('PATCH', `/share-links/${body.data.id}`, { is_active: false })
  assert.equal((await audienceOf(releaseId)).share_link_count, 1)
})

test('lists the streams whose permalinks lead to the release, and the channels that publish it', async () => {
  const own = await service.tenant()
  const sendOwn = (method: string, path: string, body?: unknown) =>
    service.call(method, `/applications/${own.applicationId}${path}`, { key: own.workspaceKey, body })
  const { build: old } = await uploadedBuild(service, own, versionOf(1))
  const { build } = await uploadedBuild(service, own, versionOf(2))
  const { body: release } = await sendOwn('POST', '/releases', {
    title: 'Two',
    build_ids: [build.id],
    ...versionOf(2),
  })
  const { body: earlier } = await sendOwn('POST', '/releases', {
    title: 'One',
    build_ids: [old.id],
    ...versionOf(1),
  })
  await sendOwn('POST', '/channels', { name: 'Releases', formats: ['json'] })
  await sendOwn('POST', '/channels', { name: 'Stream', formats: ['json'], stream: 'default' })
  const shown = async (id: string) => {
    const { streams, channels } = (await sendOwn('GET', `/releases/${id}/audience`)).body.data
    return [
      streams.map(({ name, platforms }: { name: string; platforms: { identifier: string }[] }) => [
        name,
        ...platforms.map(({ identifier }) => identifier),
      ]),
      channels.map(({ name, stream_name, is_newest }: Record<string, unknown>) => [
        name,
        stream_name,
        is_newest,
      ]),
    ]
  }
  assert.deepEqual(await shown(release.data.id), [
    [['default', 'linux']],
    [
      ['Releases', null, true],
      ['Stream', 'default', true],
    ],
  ])
  assert.deepEqual(await shown(earlier.data.id), [
    [],
    [
      ['Releases', null, false],
      ['Stream', 'default', false],
    ],
  ])
  await sendOwn('POST', `/releases/${release.data.id}/withdraw`)
  assert.deepEqual((await shown(release.data.id))[1]?.[0], ['Releases', null, false])
  assert.deepEqual((await shown(earlier.data.id))[1]?.[0], ['Releases', null, true])
})

test('looks only for the latest builds of streams with a build of the release', async () => {
  const { build } = await uploadedBuild(service, tenant)
  const fields = { title: 'Three', build_ids: [build.id], ...versionOf(3) }
  const { body } = await send('POST', `/applications/${tenant.applicationId}/releases`, fields)
  await copyBuild(service, build.id, 20)
  await inTransaction(service.deps.db, async (tx) => {
    await sql`create schema counted`.execute(tx)
    await sql`create sequence counted.calls`.execute(tx)
    await sql`create function counted.latest_build_id(text, text, text) returns text language sql stable as
      $$ select public.latest_build_id($1, $2, $3) from nextval('counted.calls') $$`.execute(tx)
    await sql`set local search_path = counted, public`.execute(tx)
    // As if the statistics of the database suggested to read all builds.
    await sql`set local enable_nestloop = off`.execute(tx)
    await listStreamsLedByRelease(tx, body.data.id)
    const { rows } = await sql`select last_value::int as calls, is_called from counted.calls`.execute(tx)
    assert.deepEqual(rows, [{ calls: 1, is_called: true }])
    await sql`drop schema counted cascade`.execute(tx)
  })
})
