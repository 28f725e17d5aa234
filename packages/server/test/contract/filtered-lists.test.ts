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

const bySemver = ['1.0.0-beta.2', '1.0.0-beta.11', '1.0.0', '2.0.0', '10.0.0']

test('§4.1 GET /applications/{application_id}/builds §4.2 builds.sort_by §4.2 builds.sort', async () => {
  const path = `${at}/builds`
  const sizes = versions.toSorted((a, b) => ((versions.indexOf(a) * 3) % 5) - ((versions.indexOf(b) * 3) % 5))
  await sorts(
    path,
    'version',
    { created_at: versions, version: bySemver, size_total_bytes: sizes, built_at: versions.toReversed() },
    'created_at',
  )
  const short = await names(`${path}?sort_by=version_short`, 'version_short')
  assert.deepEqual(short, ['1.0.0', '1.0.0', '1.0.0', '2.0.0', '10.0.0'])
})

test('§4.2 builds.per_page', () => pages(`${at}/builds`, 15))

test('§4.2 builds.platforms §7 build list names the bad slug', async () => {
  const path = `${at}/builds`
  assert.deepEqual(await names(`${path}?platforms=windows`, 'version'), ['2.0.0', '1.0.0'])
  assert.equal((await list(`${path}?platforms=windows,linux`)).length, 5)
  assert.equal((await list(`${path}?platforms=ios`)).length, 0)
  await refused(`${path}?platforms=windows,amiga`, 'amiga')
})

test('§4.2 builds.streams', async () => {
  const path = `${at}/builds`
  const nightlies = (await list(`${at}/streams`)).find(({ name }) => name === 'nightlies')
  assert.deepEqual(await names(`${path}?streams=nightlies`, 'version'), ['2.0.0'])
  assert.deepEqual(await names(`${path}?streams=${nightlies.id}`, 'version'), ['2.0.0'])
  assert.equal((await list(`${path}?streams=default,${nightlies.id}`)).length, 5)
  await refused(`${path}?streams=default,none`, 'none')
})

test('§4.2 builds.labels', async () => {
  const path = `${at}/builds`
  const one = (await list(`${at}/labels`)).find(({ name }) => name === 'One')
  assert.deepEqual(await names(`${path}?labels=${one.id}`, 'version'), ['1.0.0'])
  assert.deepEqual(await names(`${path}?labels=Two`, 'version'), ['1.0.0', '1.0.0-beta.11'])
  assert.deepEqual(await names(`${path}?labels=One,Two`, 'version'), ['1.0.0', '1.0.0-beta.11'])
  await refused(`${path}?labels=Two,Three`, 'Three')
})

test('§4.2 builds.custom_targets', async () => {
  const path = `${at}/builds`
  const deck = ok(await call(`${at}/custom-targets/deck`)).data
  for (const wanted of ['deck', deck.id])
    assert.deepEqual(await names(`${path}?custom_targets=${wanted}`, 'version'), ['10.0.0'])
  await refused(`${path}?custom_targets=deck,none`, 'none')
  // of a platform that the application has not attached: not available to it
  await refused(`${path}?custom_targets=far`, 'far')
  const off = { key: tenant.workspaceKey, body: { custom_targets_enabled: false } }
  ok(await service.call('PATCH', '/workspace', off))
  const ignored = ok(await call(`${path}?custom_targets=deck`))
  assert.equal(ignored.data.length, 5)
  assert.match(ignored.message, /custom.target/i)
  ok(await service.call('PATCH', '/workspace', { ...off, body: { custom_targets_enabled: true } }))
})

test('§4.1 GET /applications/{application_id}/releases §4.2 releases.sort_by §4.2 releases.sort', async () => {
  const path = `${at}/releases`
  const titles = ['Alfa', 'bravo', 'Charlie', 'delta', 'echo']
  await sorts(
    path,
    'title',
    { created_at: ['delta', 'Charlie', 'bravo', 'Alfa', 'echo'], title: titles },
    'created_at',
  )
  assert.deepEqual(await names(`${path}?sort_by=version`, 'version'), bySemver)
  assert.deepEqual(await names(`${path}?sort_by=version&sort=desc`, 'version'), bySemver.toReversed())
  const short = await names(`${path}?sort_by=version_short`, 'version_short')
  assert.deepEqual(short, ['1.0.0', '1.0.0', '1.0.0', '2.0.0', '10.0.0'])
})

test('§4.2 releases.per_page', () => pages(`${at}/releases`, 15))

test('§4.2 releases.search', async () => {
  const path = `${at}/releases`
  assert.deepEqual(await names(`${path}?search=CHAR`, 'title'), ['Charlie'])
  assert.deepEqual(await names(`${path}?search=beta.1`, 'title'), ['bravo'])
  const [first] = await list(path)
  assert.deepEqual(await names(`${path}?search=${first.id}`, 'title'), ['delta'])
})

test('§4.2 releases.labels', async () => {
  const path = `${at}/releases`
  assert.deepEqual(await names(`${path}?labels=One`, 'title'), ['Charlie'])
  await refused(`${path}?labels=One,Three`, 'Three')
})

test('§4.2 releases.platforms', async () => {
  const path = `${at}/releases`
  assert.deepEqual(await names(`${path}?platforms=windows`, 'title'), ['delta', 'Charlie'])
  assert.deepEqual(await names(`${path}?platforms=linux,ios`, 'title'), ['bravo'])
  await refused(`${path}?platforms=amiga`, 'amiga')
})

test('§4.1 GET /applications/{application_id}/releases/{release_id}', async () => {
  const [listed] = await list(`${at}/releases`)
  const { data } = ok(await call(`${at}/releases/${listed.id}`))
  assert.deepEqual([data.id, data.notes, data.builds.length, data.build_count], [listed.id, null, 1, 1])
})
