import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ok } from './everything.ts'
import { openListed, versions } from './listed.ts'
import type { Json } from './shapes.ts'

const { service, tenant, base, call, list, post, names, rejects, assertSorts, assertPages } =
  await openListed()
after(() => service.close())

test('sorts applications by each sort key in both directions (§4.1 GET /applications, §4.2 applications.sort_by)', () =>
  assertSorts(
    '/applications',
    'name',
    {
      name: ['alpha', 'Beta', 'gamma 100%', 'Kappa'],
      created_at: ['Kappa', 'alpha', 'Beta', 'gamma 100%'],
      // Kappa was renamed before the other applications were created.
      updated_at: ['Kappa', 'alpha', 'Beta', 'gamma 100%'],
    },
    'name',
  ))

test('sorts applications in ascending order by default (§4.2 applications.sort)', async () => {
  assert.deepEqual(await names('/applications'), await names('/applications?sort=asc'))
  assert.deepEqual(await names('/applications?sort=desc'), (await names('/applications')).toReversed())
})

test('searches applications and rejects search terms longer than 50 characters (§4.2 applications.search, §8 search length)', async () => {
  assert.deepEqual(await names('/applications?search=BET'), ['Beta'])
  assert.deepEqual(await names('/applications?search=made%20for%20alpha'), ['alpha'])
  assert.deepEqual(await names(`/applications?search=${tenant.applicationId}`), ['Kappa'])
  assert.deepEqual(await names('/applications?search=100%25'), ['gamma 100%'])
  assert.deepEqual(await names('/applications?search=_'), [])
  for (const path of ['/applications', `${base}/members`, `${base}/releases`]) {
    ok(await call(`${path}?search=${'x'.repeat(50)}`))
    await rejects(`${path}?search=${'x'.repeat(51)}`, 'search', '50')
  }
})

test('paginates applications, members, builds, releases and webhooks (§4.2 applications.per_page, §8 per_page, §8 per_page default)', async () => {
  await assertPages('/applications', 10)
  for (const noun of ['members', 'builds', 'releases', 'webhooks']) await assertPages(`${base}/${noun}`, 15)
})

test('filters applications by platform and identifies an unknown platform in the error message (§4.2 applications.platform, §7 unknown platform in application list)', async () => {
  assert.deepEqual(await names('/applications?platform=ios'), ['alpha', 'Beta', 'Kappa'])
  assert.deepEqual(await names('/applications?platform=ps5'), [])
  await rejects('/applications?platform=amiga', 'amiga')
})

test('lists all applications for a workspace key and a single application for an application key (§4.2 keys and applications)', async () => {
  assert.equal((await list('/applications')).length, 4)
  const own = await service.call('GET', '/applications', { key: tenant.applicationKey })
  assert.deepEqual(
    own.body.data.map(({ id }: Json) => id),
    [tenant.applicationId],
  )
})

test('returns an application with its build count (§4.1 GET /applications/{application_id})', async () => {
  for (const key of [tenant.workspaceKey, tenant.applicationKey]) {
    const { data } = ok(await service.call('GET', base, { key }))
    assert.deepEqual([data.id, data.build_count], [tenant.applicationId, versions.length])
  }
})

test('sorts members by each sort key in both directions (§4.1 GET /applications/{application_id}/members, §4.2 members.sort_by, §4.2 members.sort, §2.3 member resolved role)', async () => {
  const path = `${base}/members`
  const byName = ['adam', 'Mia', 'Olga', 'Zoe']
  assert.deepEqual(await names(path), byName)
  assert.deepEqual(await names(`${path}?sort_by=name&sort=desc`), byName.toReversed())
  assert.deepEqual(await names(`${path}?sort_by=email`), ['Zoe', 'Mia', 'Olga', 'adam'])
  for (const key of ['role', 'resolved_role']) {
    const asc = await names(`${path}?sort_by=${key}`)
    assert.deepEqual(asc.toSorted(), byName.toSorted())
    assert.deepEqual(await names(`${path}?sort_by=${key}&sort=desc`), asc.toReversed())
  }
  const resolved = Object.fromEntries((await list(path)).map((member) => [member.name, member.resolved_role]))
  assert.deepEqual(resolved, { adam: 'developer', Mia: 'readonly', Olga: 'admin', Zoe: 'qa' })
  // The owner's role resolves to admin, so the owner must be first or last when members are sorted by role.
  const order = await names(`${path}?sort_by=resolved_role`)
  assert.ok([0, 3].includes(order.indexOf('Olga')), order.join())
  await rejects(`${path}?sort_by=id`, 'sort_by')
  await rejects(`${path}?sort=down`, 'sort')
})

test('searches members by name or email (§4.2 members.search)', async () => {
  assert.deepEqual(await names(`${base}/members?search=MI`), ['Mia'])
  assert.deepEqual(await names(`${base}/members?search=z@ex`), ['adam'])
})

test('paginates members (§4.2 members.per_page)', () => assertPages(`${base}/members`, 15))

test('lists the platforms of an application (§4.1 GET /applications/{application_id}/platforms)', async () => {
  const identifiers = await names(`${base}/platforms`, 'identifier')
  assert.deepEqual(identifiers.toSorted(), ['android', 'generic', 'ios', 'linux', 'windows'])
})

test('lists the labels of an application and its workspace (§4.1 GET /applications/{application_id}/labels)', async () => {
  await post('/workspace/labels', { name: 'Everywhere' })
  const levels = Object.fromEntries((await list(`${base}/labels`)).map(({ name, level }) => [name, level]))
  assert.deepEqual(levels, { Everywhere: 'workspace', One: 'application', Two: 'application' })
})

test('lists only active streams (§4.1 GET /applications/{application_id}/streams)', async () => {
  const { id } = await post(`${base}/streams`, { name: 'closed' })
  assert.ok((await names(`${base}/streams`)).includes('closed'))
  await service.deps.db.updateTable('streams').set({ is_active: false }).where('id', '=', id).execute()
  assert.deepEqual((await names(`${base}/streams`)).toSorted(), ['default', 'nightlies', 'stable'])
})

test('finds workspace and application custom targets by UUID or name (§4.1 GET /applications/{application_id}/custom-targets/{target_identifier}, §4.1 path parameters)', async () => {
  const byName = ok(await call(`${base}/custom-targets/deck`)).data
  assert.deepEqual(ok(await call(`${base}/custom-targets/${byName.id}`)).data, byName)
  assert.equal(byName.level, 'application')
  await post('/workspace/custom-targets', { name: 'shared deck', platform: 'linux' })
  assert.equal(ok(await call(`${base}/custom-targets/shared%20deck`)).data.level, 'workspace')
  assert.equal((await call(`${base}/custom-targets/none`)).status, 404)
})

test('lists webhooks and returns a single webhook (§4.1 GET /applications/{application_id}/webhooks, §4.2 webhooks.per_page, §4.1 GET /applications/{application_id}/webhooks/{webhook_id})', async () => {
  for (let number = 0; number < 3; number++)
    await post(`${base}/webhooks`, { url: `https://example.com/${number}`, event: 'build.created' })
  await assertPages(`${base}/webhooks`, 15)
  const [webhook] = await list(`${base}/webhooks`)
  const { data } = ok(await call(`${base}/webhooks/${webhook.id}`))
  assert.deepEqual([data.id, data.latest_webhook_request], [webhook.id, null])
})

test('lists workspace labels and finds a single label by ID or name (§4.1 GET /workspace/labels, §4.1 GET /workspace/labels/{label_identifier})', async () => {
  const created = await post('/workspace/labels', { name: 'By name or id' })
  assert.ok((await names('/workspace/labels')).includes('By name or id'))
  for (const identifier of [created.id, 'By%20name%20or%20id'])
    assert.equal(ok(await call(`/workspace/labels/${identifier}`)).data.id, created.id)
  assert.equal((await call('/workspace/labels/One')).status, 404)
})

test('lists the default streams (§4.1 GET /workspace/default-streams)', async () => {
  assert.deepEqual((await names('/workspace/default-streams')).toSorted(), ['default', 'nightlies', 'stable'])
})

test('returns the workspace for a key without workspace scopes (§4.1 GET /workspace)', async () => {
  const key = await service.key(tenant.workspaceId, null, ['releases:read'])
  assert.equal(ok(await service.call('GET', '/workspace', { key })).data.id, tenant.workspaceId)
})
