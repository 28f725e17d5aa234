import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type Service, type Tenant } from '../harness.ts'
import { person } from '../people.ts'
import { uploadedBuild } from '../uploading.ts'
import { ok, versionOf } from './everything.ts'
import type { Json } from './shapes.ts'

let service: Service
let tenant: Tenant
let at: string

before(async () => {
  service = await startService()
  tenant = await service.tenant()
  at = `/applications/${tenant.applicationId}`
  await fill()
})
after(() => service.close())

const call = (path: string) => service.call('GET', path, { key: tenant.workspaceKey })
const list = async (path: string): Promise<Json[]> => ok(await call(path)).data
const post = async (path: string, body: object): Promise<Json> =>
  ok(await service.call('POST', path, { key: tenant.workspaceKey, body })).data
const names = async (path: string, field = 'name') => (await list(path)).map((row) => row[field] as string)

/** 422 with a message, and nothing else. */
async function refused(path: string, ...words: string[]) {
  const { status, body } = await call(path)
  assert.equal(status, 422, path)
  for (const word of words) assert.ok(body.message.includes(word), `"${body.message}" does not name ${word}`)
}

const versions = ['2.0.0', '1.0.0', '1.0.0-beta.11', '1.0.0-beta.2', '10.0.0']

async function fill() {
  await service.call('PATCH', at, { key: tenant.workspaceKey, body: { name: 'Kappa' } })
  for (const [name, platforms] of [
    ['alpha', ['ios']],
    ['Beta', ['ios', 'macos']],
    ['gamma 100%', ['linux']],
  ] as const)
    await post('/applications', { name, platforms, description: `made for ${name}` })
  for (const [name, email, applicationRole] of [
    ['Zoe', 'a@example.com', 'qa'],
    ['adam', 'z@example.com', 'developer'],
    ['Mia', 'm@example.com', 'readonly'],
  ] as const)
    await person(service, tenant, { name, email, applicationRole })
  await person(service, tenant, { name: 'Olga', email: 'o@example.com', workspaceRole: 'owner' })
  await post(`${at}/custom-targets`, { name: 'deck', platform: 'linux' })
  await post('/workspace/custom-targets', { name: 'far', platform: 'kaios' })
  for (const [index, version] of versions.entries()) {
    const [core = '', extra = ''] = version.split('-')
    const [major = 0, minor = 0, patch = 0] = core.split('.').map(Number)
    const fields = {
      ...versionOf(major, minor, patch),
      version_component_extra: extra,
      platform: index < 2 ? 'windows' : 'linux',
      stream: index === 0 ? 'nightlies' : 'default',
      labels: index === 1 ? ['One', 'Two'] : index === 2 ? ['Two'] : [],
      built_at: `2020-01-0${5 - index}T00:00:00Z`,
      ...(index === 4 ? { custom_target: 'deck' } : {}),
    }
    const { build } = await uploadedBuild(service, tenant, fields, Buffer.alloc(100 + ((index * 3) % 5)))
    await post(`${at}/releases`, {
      title: ['delta', 'Charlie', 'bravo', 'Alfa', 'echo'][index] ?? '',
      ...versionOf(major, minor, patch),
      version_component_extra: extra,
      labels: index === 1 ? ['One'] : [],
      build_ids: index < 3 ? [build.id] : [],
    })
  }
}

/** Default first, both directions, and 422 for another key. */
async function sorts(path: string, field: string, orders: Record<string, string[]>, byDefault: string) {
  assert.deepEqual(await names(path, field), orders[byDefault], 'default')
  for (const [key, order] of Object.entries(orders)) {
    assert.deepEqual(await names(`${path}?sort_by=${key}`, field), order, key)
    assert.deepEqual(await names(`${path}?sort_by=${key}&sort=asc`, field), order, `${key} asc`)
    assert.deepEqual(
      await names(`${path}?sort_by=${key}&sort=desc`, field),
      order.toReversed(),
      `${key} desc`,
    )
  }
  await refused(`${path}?sort_by=nothing`, 'sort_by')
  await refused(`${path}?sort=up`, 'sort')
}

async function pages(path: string, byDefault: number) {
  const { pagination } = ok(await call(path))
  assert.equal(pagination.per_page, byDefault)
  for (const perPage of [1, 100])
    assert.equal(ok(await call(`${path}?per_page=${perPage}`)).pagination.per_page, perPage)
  for (const wrong of ['0', '101', '-1', 'x', '1.5']) await refused(`${path}?per_page=${wrong}`, 'per_page')
  const all = (await list(`${path}?per_page=100`)).map(({ id }) => id as string)
  const paged: string[] = []
  for (let page = 1; page <= Math.ceil(all.length / 2); page++)
    paged.push(...(await names(`${path}?per_page=2&page=${page}`, 'id')))
  assert.deepEqual(paged, all)
  const past = ok(await call(`${path}?page=99`))
  assert.deepEqual(
    [past.data, past.pagination.from, past.pagination.to, past.pagination.total],
    [[], null, null, all.length],
  )
}

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
