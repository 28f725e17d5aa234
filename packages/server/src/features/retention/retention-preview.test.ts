import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ageBuild } from '../../../test/aging.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { uploadedBuild } from '../../../test/uploading.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

type Entry = {
  build: { id: string; created_at: string }
  outcome: string
  goes_at: string | null
  kept_by: { reason: string; releases?: { title: string }[]; share_links?: { id: string }[] }[]
}

async function preview(tenant: Tenant, query = '', stream = 'nightlies') {
  const response = await send(tenant, 'GET', `/streams/${stream}/retention-preview${query}`)
  assert.equal(response.status, 200, response.text)
  return response.body
}

const send = (tenant: Tenant, method: string, path: string, body?: unknown) =>
  service.call(method, `/applications/${tenant.applicationId}${path}`, { key: tenant.applicationKey, body })

async function nightly(tenant: Tenant, days: number): Promise<string> {
  const { build } = await uploadedBuild(service, tenant, { stream: 'nightlies' })
  await ageBuild(service, build.id, { days })
  return build.id
}

const version = { version_component_1_major: 1, version_component_2_minor: 0, version_component_3_patch: 0 }

const release = (tenant: Tenant, build_ids: string[], title = 'One') =>
  send(tenant, 'POST', '/releases', { title, ...version, build_ids })

const reasonsOf = ({ data }: { data: Entry[] }, id: string) =>
  data.find(({ build }) => build.id === id)?.kept_by.map(({ reason }) => reason)

test('lists expiring builds with their expiration times, oldest build first', async () => {
  const tenant = await service.tenant()
  const [young, due, middle] = [
    await nightly(tenant, 1),
    await nightly(tenant, 31),
    await nightly(tenant, 10),
  ]
  const { data, summary, pagination } = await preview(tenant)
  assert.deepEqual(
    data.map(({ build, outcome }: Entry) => [build.id, outcome]),
    [due, middle, young].map((id) => [id, 'goes']),
  )
  for (const { build, goes_at, kept_by } of data as Entry[]) {
    assert.equal(Date.parse(goes_at ?? '') - Date.parse(build.created_at), 30 * 24 * 3600_000)
    assert.deepEqual(kept_by, [])
  }
  assert.equal(pagination.total, 3)
  assert.deepEqual([summary.due.builds, summary.goes.builds, summary.stays.builds], [1, 3, 0])
  assert.deepEqual([summary.due.size_total_bytes, summary.goes.size_total_string], [1024, '3.00 KB'])
  const reversed = await preview(tenant, '?sort=desc&per_page=1&page=3')
  assert.deepEqual(
    reversed.data.map(({ build }: Entry) => build.id),
    [due],
  )
})

test('previews a different retention period without saving it', async () => {
  const tenant = await service.tenant()
  const id = await nightly(tenant, 10)
  assert.equal((await preview(tenant, '?retention_days=9')).summary.due.builds, 1)
  assert.equal((await preview(tenant, '?retention_days=11')).summary.due.builds, 0)
  const { data, summary } = await preview(tenant)
  assert.equal(summary.retention_days, 30)
  assert.equal(data[0].goes_at, (await send(tenant, 'GET', `/builds/${id}`)).body.data.expires_at)
})

test('keeps all builds in a stream with no retention period unless the preview specifies one', async () => {
  const tenant = await service.tenant()
  const { build } = await uploadedBuild(service, tenant, { stream: 'stable' })
  const kept = await preview(tenant, '', 'stable')
  assert.deepEqual(reasonsOf(kept, build.id), ['stream'])
  assert.deepEqual([kept.data[0].goes_at, kept.summary.retention_days], [null, null])
  assert.equal((await preview(tenant, '?outcome=goes', 'stable')).pagination.total, 0)
  assert.equal((await preview(tenant, '?outcome=stays', 'stable')).data.length, 1)
  const previewed = await preview(tenant, '?retention_days=1&outcome=goes', 'stable')
  assert.equal(previewed.data[0].outcome, 'goes')
})

test('lists each reason why a build is kept and the same expiration time as the build endpoint', async () => {
  const tenant = await service.tenant()
  const [kept, released, shared, all, goes] = [
    await nightly(tenant, 40),
    await nightly(tenant, 41),
    await nightly(tenant, 42),
    await nightly(tenant, 43),
    await nightly(tenant, 44),
  ]
  await send(tenant, 'PATCH', `/builds/${kept}`, { keep_forever: true })
  await send(tenant, 'PATCH', `/builds/${all}`, { keep_forever: true })
  assert.equal((await release(tenant, [released, all], 'Sweet')).status, 201)
  assert.equal((await release(tenant, [all], 'Second')).status, 201)
  const link = await send(tenant, 'POST', `/builds/${shared}/share-links`, { max_downloads: 3 })
  await send(tenant, 'POST', `/builds/${all}/share-links`, {})
  const found = await preview(tenant)
  assert.deepEqual(reasonsOf(found, kept), ['keep_forever'])
  assert.deepEqual(reasonsOf(found, released), ['release'])
  assert.deepEqual(reasonsOf(found, shared), ['share_link'])
  assert.deepEqual(reasonsOf(found, all), ['keep_forever', 'release', 'share_link'])
  assert.deepEqual(reasonsOf(found, goes), [])
  const entryOf = (id: string) => found.data.find(({ build }: Entry) => build.id === id) as Entry
  assert.equal(entryOf(released).kept_by[0]?.releases?.[0]?.title, 'Sweet')
  assert.equal(entryOf(shared).kept_by[0]?.share_links?.[0]?.id, link.body.data.id)
  assert.deepEqual(
    entryOf(all)
      .kept_by[1]?.releases?.map(({ title }) => title)
      .toSorted(),
    ['Second', 'Sweet'],
  )
  for (const entry of found.data as Entry[]) {
    const { body } = await send(tenant, 'GET', `/builds/${entry.build.id}`)
    assert.equal(entry.goes_at, body.data.expires_at)
  }
  assert.deepEqual([found.summary.goes.builds, found.summary.stays.builds], [1, 4])
  for (const [outcome, count] of [
    ['goes', 1],
    ['stays', 4],
  ] as const) {
    const some = await preview(tenant, `?outcome=${outcome}&per_page=3`)
    assert.equal(some.pagination.total, count)
    assert.ok((some.data as Entry[]).every((entry) => entry.outcome === outcome))
  }
})

test('counts all releases that contain a build but lists only the ten most recent', async () => {
  const tenant = await service.tenant()
  const id = await nightly(tenant, 1)
  for (let number = 0; number < 12; number++) await release(tenant, [id], `Release ${number}`)
  const [entry] = (await preview(tenant)).data
  assert.equal(entry.kept_by[0].releases.length, 10)
  assert.equal(entry.kept_by[0].releases[0].title, 'Release 11')
  assert.match(entry.kept_by[0].message, /^12 releases/)
})

for (const [state, change] of [
  ['has been revoked', { is_active: false }],
  ['has expired', { expires_at: '2026-01-01T00:00:00Z' }],
  ['has reached its download limit', { max_downloads: 2, download_count: 2 }],
] as const) {
  test(`does not keep a build whose share link ${state}`, async () => {
    const tenant = await service.tenant()
    const id = await nightly(tenant, 40)
    const link = await send(tenant, 'POST', `/builds/${id}/share-links`, {})
    assert.deepEqual(reasonsOf(await preview(tenant), id), ['share_link'])
    const { db } = service.deps
    await db.updateTable('share_links').set(change).where('id', '=', link.body.data.id).execute()
    assert.deepEqual(reasonsOf(await preview(tenant), id), [])
    assert.notEqual((await send(tenant, 'GET', `/builds/${id}`)).body.data.expires_at, null)
  })
}

test('excludes builds in the trash or in other streams and returns no builds past the last page', async () => {
  const tenant = await service.tenant()
  const [trashed, other] = [await nightly(tenant, 5), await nightly(tenant, 5)]
  await send(tenant, 'DELETE', `/builds/${trashed}`)
  await send(tenant, 'PUT', `/builds/${other}/stream`, { stream: 'stable' })
  const { data, pagination, summary } = await preview(tenant, '?page=4')
  assert.deepEqual([data, pagination.total, pagination.from], [[], 0, null])
  assert.equal(summary.goes.builds, 0)
  const id = await nightly(tenant, 2)
  const past = await preview(tenant, '?page=9007199254740991&per_page=100')
  assert.deepEqual([past.data, past.pagination.total], [[], 1])
  assert.equal((await preview(tenant)).data[0].build.id, id)
})

for (const query of ['retention_days=0', 'retention_days=36501', 'retention_days=x', 'outcome=maybe']) {
  test(`rejects a retention preview with the query parameter ${query}`, async () => {
    const tenant = await service.tenant()
    const response = await send(tenant, 'GET', `/streams/nightlies/retention-preview?${query}`)
    assert.equal(response.status, 422)
    assert.ok(Object.keys(response.body.errors).includes(query.split('=')[0]!), response.text)
  })
}
