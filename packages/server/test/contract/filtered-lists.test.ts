import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ok } from './everything.ts'
import { openListed, versions } from './listed.ts'

const { service, tenant, base, call, list, names, rejects, assertSorts, assertPages } = await openListed()
after(() => service.close())

const bySemver = ['1.0.0-beta.2', '1.0.0-beta.11', '1.0.0', '2.0.0', '10.0.0']

test('sorts builds by each sort key in both directions (§4.1 GET /applications/{application_id}/builds, §4.2 builds.sort_by, §4.2 builds.sort)', async () => {
  const path = `${base}/builds`
  const sizes = versions.toSorted((a, b) => ((versions.indexOf(a) * 3) % 5) - ((versions.indexOf(b) * 3) % 5))
  await assertSorts(
    path,
    'version',
    { created_at: versions, version: bySemver, size_total_bytes: sizes, built_at: versions.toReversed() },
    'created_at',
  )
  const short = await names(`${path}?sort_by=version_short`, 'version_short')
  assert.deepEqual(short, ['1.0.0', '1.0.0', '1.0.0', '2.0.0', '10.0.0'])
})

test('paginates builds (§4.2 builds.per_page)', () => assertPages(`${base}/builds`, 15))

test('filters builds by platform and identifies an unknown platform in the error message (§4.2 builds.platforms, §7 unknown platform in build list)', async () => {
  const path = `${base}/builds`
  assert.deepEqual(await names(`${path}?platforms=windows`, 'version'), ['2.0.0', '1.0.0'])
  assert.equal((await list(`${path}?platforms=windows,linux`)).length, 5)
  assert.equal((await list(`${path}?platforms=ios`)).length, 0)
  await rejects(`${path}?platforms=windows,amiga`, 'amiga')
})

test('filters builds by stream ID or name (§4.2 builds.streams)', async () => {
  const path = `${base}/builds`
  const nightlies = (await list(`${base}/streams`)).find(({ name }) => name === 'nightlies')
  assert.deepEqual(await names(`${path}?streams=nightlies`, 'version'), ['2.0.0'])
  assert.deepEqual(await names(`${path}?streams=${nightlies.id}`, 'version'), ['2.0.0'])
  assert.equal((await list(`${path}?streams=default,${nightlies.id}`)).length, 5)
  await rejects(`${path}?streams=default,none`, 'none')
})

test('filters builds by label ID or name (§4.2 builds.labels)', async () => {
  const path = `${base}/builds`
  const one = (await list(`${base}/labels`)).find(({ name }) => name === 'One')
  assert.deepEqual(await names(`${path}?labels=${one.id}`, 'version'), ['1.0.0'])
  assert.deepEqual(await names(`${path}?labels=Two`, 'version'), ['1.0.0', '1.0.0-beta.11'])
  assert.deepEqual(await names(`${path}?labels=One,Two`, 'version'), ['1.0.0', '1.0.0-beta.11'])
  await rejects(`${path}?labels=Two,Three`, 'Three')
})

test('filters builds by custom target unless custom targets are disabled (§4.2 builds.custom_targets)', async () => {
  const path = `${base}/builds`
  const deck = ok(await call(`${base}/custom-targets/deck`)).data
  for (const identifier of ['deck', deck.id])
    assert.deepEqual(await names(`${path}?custom_targets=${identifier}`, 'version'), ['10.0.0'])
  await rejects(`${path}?custom_targets=deck,none`, 'none')
  // The target is unavailable, because the application does not have its platform.
  await rejects(`${path}?custom_targets=far`, 'far')
  const off = { key: tenant.workspaceKey, body: { custom_targets_enabled: false } }
  ok(await service.call('PATCH', '/workspace', off))
  const ignored = ok(await call(`${path}?custom_targets=deck`))
  assert.equal(ignored.data.length, 5)
  assert.match(ignored.message, /custom.target/i)
  ok(await service.call('PATCH', '/workspace', { ...off, body: { custom_targets_enabled: true } }))
})

test('sorts releases by each sort key in both directions (§4.1 GET /applications/{application_id}/releases, §4.2 releases.sort_by, §4.2 releases.sort)', async () => {
  const path = `${base}/releases`
  const titles = ['Alfa', 'bravo', 'Charlie', 'delta', 'echo']
  await assertSorts(
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

test('paginates releases (§4.2 releases.per_page)', () => assertPages(`${base}/releases`, 15))

test('searches releases by title, version or ID (§4.2 releases.search)', async () => {
  const path = `${base}/releases`
  assert.deepEqual(await names(`${path}?search=CHAR`, 'title'), ['Charlie'])
  assert.deepEqual(await names(`${path}?search=beta.1`, 'title'), ['bravo'])
  const [first] = await list(path)
  assert.deepEqual(await names(`${path}?search=${first.id}`, 'title'), ['delta'])
})

test('filters releases by label (§4.2 releases.labels)', async () => {
  const path = `${base}/releases`
  assert.deepEqual(await names(`${path}?labels=One`, 'title'), ['Charlie'])
  await rejects(`${path}?labels=One,Three`, 'Three')
})

test('filters releases by the platforms of their builds (§4.2 releases.platforms)', async () => {
  const path = `${base}/releases`
  assert.deepEqual(await names(`${path}?platforms=windows`, 'title'), ['delta', 'Charlie'])
  assert.deepEqual(await names(`${path}?platforms=linux,ios`, 'title'), ['bravo'])
  await rejects(`${path}?platforms=amiga`, 'amiga')
})

test('returns a release with its notes and builds (§4.1 GET /applications/{application_id}/releases/{release_id})', async () => {
  const [listed] = await list(`${base}/releases`)
  const { data } = ok(await call(`${base}/releases/${listed.id}`))
  assert.deepEqual([data.id, data.notes, data.builds.length, data.build_count], [listed.id, null, 1, 1])
})
