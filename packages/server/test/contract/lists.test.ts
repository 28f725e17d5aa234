import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ok } from './everything.ts'
import { openListed, versions } from './listed.ts'
import type { Json } from './shapes.ts'

const { service, tenant, at, call, list, post, names, refused, sorts, pages } = await openListed()
after(() => service.close())

test('§4.1 GET /applications §4.2 applications.sort_by', () =>
  sorts(
    '/applications',
    'name',
    {
      name: ['alpha', 'Beta', 'gamma 100%', 'Kappa'],
      created_at: ['Kappa', 'alpha', 'Beta', 'gamma 100%'],
      // Kappa was renamed before the others were made
      updated_at: ['Kappa', 'alpha', 'Beta', 'gamma 100%'],
    },
    'name',
  ))

test('§4.2 applications.sort', async () => {
  assert.deepEqual(await names('/applications'), await names('/applications?sort=asc'))
  assert.deepEqual(await names('/applications?sort=desc'), (await names('/applications')).toReversed())
})

test('§4.2 applications.search §8 search length', async () => {
  assert.deepEqual(await names('/applications?search=BET'), ['Beta'])
  assert.deepEqual(await names('/applications?search=made%20for%20alpha'), ['alpha'])
  assert.deepEqual(await names(`/applications?search=${tenant.applicationId}`), ['Kappa'])
  assert.deepEqual(await names('/applications?search=100%25'), ['gamma 100%'])
  assert.deepEqual(await names('/applications?search=_'), [])
  for (const path of ['/applications', `${at}/members`, `${at}/releases`]) {
    ok(await call(`${path}?search=${'x'.repeat(50)}`))
    await refused(`${path}?search=${'x'.repeat(51)}`, 'search', '50')
  }
})

test('§4.2 applications.per_page §8 per_page §8 per_page default', async () => {
  await pages('/applications', 10)
  for (const noun of ['members', 'builds', 'releases', 'webhooks']) await pages(`${at}/${noun}`, 15)
})

test('§4.2 applications.platform §7 application list 422', async () => {
  assert.deepEqual(await names('/applications?platform=ios'), ['alpha', 'Beta', 'Kappa'])
  assert.deepEqual(await names('/applications?platform=ps5'), [])
  await refused('/applications?platform=amiga', 'amiga')
})

test('§4.2 keys and applications', async () => {
  assert.equal((await list('/applications')).length, 4)
  const own = await service.call('GET', '/applications', { key: tenant.applicationKey })
  assert.deepEqual(
    own.body.data.map(({ id }: Json) => id),
    [tenant.applicationId],
  )
})

test('§4.1 GET /applications/{application_id}', async () => {
  for (const key of [tenant.workspaceKey, tenant.applicationKey]) {
    const { data } = ok(await service.call('GET', at, { key }))
    assert.deepEqual([data.id, data.build_count], [tenant.applicationId, versions.length])
  }
})

test('§4.1 GET /applications/{application_id}/members §4.2 members.sort_by §4.2 members.sort §2.3 member resolved role', async () => {
  const path = `${at}/members`
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
  // the owner counts as an admin: next to admins, before or after everybody else
  const order = await names(`${path}?sort_by=resolved_role`)
  assert.ok([0, 3].includes(order.indexOf('Olga')), order.join())
  await refused(`${path}?sort_by=id`, 'sort_by')
  await refused(`${path}?sort=down`, 'sort')
})

test('§4.2 members.search', async () => {
  assert.deepEqual(await names(`${at}/members?search=MI`), ['Mia'])
  assert.deepEqual(await names(`${at}/members?search=z@ex`), ['adam'])
})

test('§4.2 members.per_page', () => pages(`${at}/members`, 15))

test('§4.1 GET /applications/{application_id}/platforms', async () => {
  const identifiers = await names(`${at}/platforms`, 'identifier')
  assert.deepEqual(identifiers.toSorted(), ['android', 'generic', 'ios', 'linux', 'windows'])
})

test('§4.1 GET /applications/{application_id}/labels', async () => {
  await post('/workspace/labels', { name: 'Everywhere' })
  const levels = Object.fromEntries((await list(`${at}/labels`)).map(({ name, level }) => [name, level]))
  assert.deepEqual(levels, { Everywhere: 'workspace', One: 'application', Two: 'application' })
})

test('§4.1 GET /applications/{application_id}/streams', async () => {
  const { id } = await post(`${at}/streams`, { name: 'closed' })
  assert.ok((await names(`${at}/streams`)).includes('closed'))
  await service.deps.db.updateTable('streams').set({ is_active: false }).where('id', '=', id).execute()
  assert.deepEqual((await names(`${at}/streams`)).toSorted(), ['default', 'nightlies', 'stable'])
})

test('§4.1 GET /applications/{application_id}/custom-targets/{target_identifier} §4.1 path parameters', async () => {
  const byName = ok(await call(`${at}/custom-targets/deck`)).data
  assert.deepEqual(ok(await call(`${at}/custom-targets/${byName.id}`)).data, byName)
  assert.equal(byName.level, 'application')
  await post('/workspace/custom-targets', { name: 'shared deck', platform: 'linux' })
  assert.equal(ok(await call(`${at}/custom-targets/shared%20deck`)).data.level, 'workspace')
  assert.equal((await call(`${at}/custom-targets/none`)).status, 404)
})

test('§4.1 GET /applications/{application_id}/webhooks §4.2 webhooks.per_page §4.1 GET /applications/{application_id}/webhooks/{webhook_id}', async () => {
  for (let number = 0; number < 3; number++)
    await post(`${at}/webhooks`, { url: `https://example.com/${number}`, event: 'build.created' })
  await pages(`${at}/webhooks`, 15)
  const [webhook] = await list(`${at}/webhooks`)
  const { data } = ok(await call(`${at}/webhooks/${webhook.id}`))
  assert.deepEqual([data.id, data.latest_webhook_request], [webhook.id, null])
})

test('§4.1 GET /workspace/labels §4.1 GET /workspace/labels/{label_identifier}', async () => {
  const made = await post('/workspace/labels', { name: 'By name or id' })
  assert.ok((await names('/workspace/labels')).includes('By name or id'))
  for (const identifier of [made.id, 'By%20name%20or%20id'])
    assert.equal(ok(await call(`/workspace/labels/${identifier}`)).data.id, made.id)
  assert.equal((await call('/workspace/labels/One')).status, 404)
})

test('§4.1 GET /workspace/default-streams', async () => {
  assert.deepEqual((await names('/workspace/default-streams')).toSorted(), ['default', 'nightlies', 'stable'])
})

test('§4.1 GET /workspace', async () => {
  const key = await service.key(tenant.workspaceId, null, ['releases:read'])
  assert.equal(ok(await service.call('GET', '/workspace', { key })).data.id, tenant.workspaceId)
})
