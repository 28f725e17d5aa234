import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { startService, type Service, type Tenant } from './harness.ts'
import { uploadedBuild, versionOf } from './uploading.ts'

let service: Service
let tenant: Tenant
let base: string

before(async () => {
  service = await startService()
  tenant = await service.tenant()
  base = `/applications/${tenant.applicationId}`
})
after(() => service.close())

const send = (method: string, path: string, body?: unknown) =>
  service.call(method, path, { key: tenant.workspaceKey, body })

/** Creates a resource with this name and returns the response. */
type Create = (name: string) => ReturnType<typeof send>

/** Resources that paths and filters can identify by name. */
const addressed: Record<string, { create: Create; path: string; filter: string }> = {
  label: { create: (name) => send('POST', `${base}/labels`, { name }), path: 'labels', filter: 'labels' },
  stream: { create: (name) => send('POST', `${base}/streams`, { name }), path: 'streams', filter: 'streams' },
  'custom target': {
    create: (name) => send('POST', `${base}/custom-targets`, { name, platform: 'linux' }),
    path: 'custom-targets',
    filter: 'custom_targets',
  },
}

const creates: Record<string, Create> = {
  ...Object.fromEntries(Object.entries(addressed).map(([noun, { create }]) => [noun, create])),
  'workspace label': (name) => send('POST', '/workspace/labels', { name }),
  'default stream': (name) => send('POST', '/workspace/default-streams', { name }),
  application: (name) => send('POST', '/applications', { name }),
  release: (title) => send('POST', `${base}/releases`, { title, ...versionOf(1) }),
  'API key': (name) => send('POST', `${base}/api-keys`, { name, scopes: ['builds:read'] }),
  'distribution group': (name) => send('POST', '/distribution-groups', { name, type: 'external' }),
  portal: (name) => send('POST', '/portals', { name, type: 'private' }),
}

for (const [noun, create] of Object.entries(creates)) {
  test(`normalizes the name of a new ${noun} and removes control and invisible characters`, async () => {
    const { status, text, body } = await create(` Cafe\u0301\u202e\u200b\r\n${noun}\u0007\ufeff `)
    assert.equal(status, 201, text)
    assert.equal(body.data.name ?? body.data.title, `Caf\u00e9 ${noun}`)
  })

  test(`rejects a new ${noun} whose name is empty, invisible or a dot segment`, async () => {
    for (const name of ['', ' \t', '\u200b\u200d', '\u2800', '\u00ad', '.', ' .. '])
      assert.equal((await create(name)).status, 422, JSON.stringify(name))
  })
}

for (const [noun, { create, path, filter }] of Object.entries(addressed)) {
  test(`finds a ${noun} by its name in any case and in composed or decomposed form`, async () => {
    const { id } = (await create('Fête 1')).body.data
    for (const name of ['Fête 1', 'FÊTE 1', 'fe\u0302te 1']) {
      const read = await send('GET', `${base}/${path}/${encodeURIComponent(name)}`)
      assert.equal(read.body.data?.id, id, name)
      const list = await send('GET', `${base}/builds?${filter}=${encodeURIComponent(name)}`)
      assert.equal(list.status, 200, list.text)
    }
    assert.equal((await create('FE\u0302TE 1')).status, 409)
  })

  test(`accepts a ${noun} whose name contains commas in list filters`, async () => {
    await create('one, two, three')
    await create('plain')
    for (const value of [
      'one, two, three',
      'ONE, TWO, THREE',
      'plain,one, two, three',
      'one\\, two\\, three,plain',
    ]) {
      const { status, text } = await send('GET', `${base}/builds?${filter}=${encodeURIComponent(value)}`)
      assert.equal(status, 200, `${value} ${text}`)
    }
    const unknown = await send('GET', `${base}/builds?${filter}=plain,one,two`)
    assert.deepEqual([unknown.status, unknown.body.errors[filter].length], [422, 2])
  })

  test(`rejects a ${noun} whose name is the ID of another ${noun}`, async () => {
    const { id } = (await create('has an ID')).body.data
    const created = await create(id.toUpperCase())
    assert.equal(created.status, 409, created.text)
    assert.match(created.body.code, /\.name_is_id$/)
    const other = (await create('has another ID')).body.data
    assert.equal((await send('PATCH', `${base}/${path}/${other.id}`, { name: id })).status, 409)
    assert.equal((await send('GET', `${base}/${path}/${id}`)).body.data.name, 'has an ID')
  })
}

test('accepts stream names in any case when moving builds and deleting streams', async () => {
  await send('POST', `${base}/streams`, { name: 'Canary' })
  const { build } = await uploadedBuild(service, tenant)
  const moved = await send('PUT', `${base}/builds/${build.id}/stream`, { stream: 'CANARY' })
  assert.equal(moved.body.data.stream.name, 'Canary')
  assert.equal((await send('DELETE', `${base}/streams/canary?move_to=STABLE`)).status, 200)
})

test('assigns the labels listed by name or ID in the upload request to the build', async () => {
  const { id } = (await send('POST', '/workspace/labels', { name: 'shared' })).body.data
  const gone = (await send('POST', `${base}/labels`, { name: 'gone' })).body.data
  const { build } = await uploadedBuild(service, tenant, { labels: [id, 'SHARED', 'new one', 'a, b', ''] })
  assert.deepEqual(
    build.labels.map(({ name }: { name: string }) => name),
    ['a, b', 'new one', 'shared'],
  )
  const filtered = await send('GET', `${base}/builds?labels=${encodeURIComponent('a, b')}`)
  assert.deepEqual(
    filtered.body.data.map((each: { id: string }) => each.id),
    [build.id],
  )
  const upload = await send('POST', '/upload/request', {
    application_id: tenant.applicationId,
    platform: 'linux',
    stream: 'default',
    source: 'cli-upload',
    primary_file: { filename: 'app.tar.gz', size_bytes: 1 },
    ...versionOf(1),
    labels: [gone.id],
  })
  await send('DELETE', `${base}/labels/${gone.id}`)
  const { url, headers } = upload.body.primary_file.presigned_data
  delete headers['Content-Length']
  await fetch(url, { method: 'PUT', headers, body: 'x' })
  const verified = await send('POST', '/upload/verify', { pending_upload_id: upload.body.pending_upload_id })
  assert.deepEqual(verified.body.build.labels, [])
})

test('sorts applications, releases and labels by name without regard to case or accents', async () => {
  const own = await service.tenant()
  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, path, { key: own.workspaceKey, body })
  const names = ['zebra', 'Éclair', 'apple', 'Zoo', 'Ärger', 'éclair 2', 'Öl', 'orange']
  const expected = ['apple', 'Ärger', 'Éclair', 'éclair 2', 'Öl', 'orange', 'zebra', 'Zoo']
  for (const name of names) {
    assert.equal((await call('POST', '/applications', { name })).status, 201)
    await call('POST', `/applications/${own.applicationId}/releases`, { title: name, ...versionOf(1) })
    await call('POST', '/workspace/labels', { name })
  }
  const listed = async (path: string, field: string): Promise<string[]> =>
    (await call('GET', path)).body.data.map((each: Record<string, string>) => each[field])
  const releases = `/applications/${own.applicationId}/releases?sort_by=title`
  const isOwn = (name: string) => names.includes(name)
  assert.deepEqual((await listed('/applications?per_page=100', 'name')).filter(isOwn), expected)
  assert.deepEqual(await listed(releases, 'title'), expected)
  assert.deepEqual(await listed(`${releases}&sort=desc`, 'title'), expected.toReversed())
  assert.deepEqual(await listed('/workspace/labels', 'name'), expected)
  const pages = [1, 2, 3, 4].map((page) => listed(`${releases}&per_page=2&page=${page}`, 'title'))
  assert.deepEqual((await Promise.all(pages)).flat(), expected)
})

test('sorts builds without a build time last in both directions and uses an index', async () => {
  const own = await service.tenant()
  const times = ['2026-11-20T00:00:00Z', undefined, '2026-11-21T00:00:00Z', undefined]
  for (const built_at of times) await uploadedBuild(service, own, built_at === undefined ? {} : { built_at })
  const listed = async (query: string): Promise<(string | null)[]> =>
    (
      await service.call('GET', `/applications/${own.applicationId}/builds?sort_by=built_at&${query}`, {
        key: own.applicationKey,
      })
    ).body.data.map((build: { built_at: string | null }) => build.built_at?.slice(0, 10) ?? null)
  assert.deepEqual(await listed('sort=asc'), ['2026-11-20', '2026-11-21', null, null])
  assert.deepEqual(await listed('sort=desc'), ['2026-11-21', '2026-11-20', null, null])
  const pages = [1, 2, 3, 4].map((page) => listed(`sort=desc&per_page=1&page=${page}`))
  assert.deepEqual((await Promise.all(pages)).flat(), ['2026-11-21', '2026-11-20', null, null])
  for (const [index, statement] of [
    [
      'builds_by_built_at_desc',
      sql`select id from builds where application_id = ${own.applicationId}
      and deleted_at is null order by built_at desc nulls last, id desc limit 1`,
    ],
    [
      'releases_by_title',
      sql`select id from releases where application_id = ${own.applicationId}
      order by title collate name_order desc, id desc limit 1`,
    ],
    [
      'applications_by_name',
      sql`select id from applications where workspace_id = ${own.workspaceId}
      and deleted_at is null order by name collate name_order, id limit 1`,
    ],
  ] as const) {
    const plan = await service.deps.db.transaction().execute(async (tx) => {
      await sql`set local enable_sort = off`.execute(tx)
      return (await sql<{ 'QUERY PLAN': string }>`explain ${statement}`.execute(tx)).rows
    })
    const text = plan.map((row) => row['QUERY PLAN']).join('\n')
    assert.ok(text.includes(` ${index} `) && !/Sort/.test(text), text)
  }
})

test('finds builds by ID and label with search terms of up to 100 characters', async () => {
  const own = await service.tenant()
  const { build } = await uploadedBuild(service, own, { labels: ['Release Candidate'] })
  await uploadedBuild(service, own)
  const find = async (search: string) => {
    const path = `/applications/${own.applicationId}/builds?search=${encodeURIComponent(search)}`
    const { status, body } = await service.call('GET', path, { key: own.applicationKey })
    return [status, body.data?.map(({ id }: { id: string }) => id)]
  }
  for (const search of [build.id, build.id.slice(2, 8), 'release cand'])
    assert.deepEqual(await find(search), [200, [build.id]], search)
  assert.deepEqual(await find('x'.repeat(100)), [200, []])
  assert.equal((await find('x'.repeat(101)))[0], 422)
})

test('names the builds that a release cannot contain', async () => {
  const { build } = await uploadedBuild(service, tenant)
  const trashed = (await uploadedBuild(service, tenant)).build
  await send('DELETE', `${base}/builds/${trashed.id}`)
  const build_ids = [build.id, 'nosuchid00', trashed.id]
  const created = await send('POST', `${base}/releases`, { title: 'x', ...versionOf(1), build_ids })
  const { id } = (await send('POST', `${base}/releases`, { title: 'x', ...versionOf(1) })).body.data
  const replaced = await send('PUT', `${base}/releases/${id}/builds`, { build_ids })
  for (const { status, body } of [created, replaced]) {
    assert.equal(status, 404)
    assert.ok(body.message.includes('"nosuchid00"') && body.message.includes(`"${trashed.id}"`), body.message)
    assert.deepEqual(Object.keys(body.errors), ['build_ids.1', 'build_ids.2'])
  }
})
