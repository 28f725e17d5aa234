import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { requestUpload, uploadedBuild } from '../../../test/uploading.ts'
import { shortId } from '../../lib/ids.ts'

type Build = { id: string; version: string; [field: string]: unknown }

let service: Service
let tenant: Tenant
const buildsByVersion = new Map<string, Build>()

// These versions are in the order of precedence defined by SemVer 2.0.0, section 11.
const versionsInOrder = [
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-alpha.beta',
  '1.0.0-beta',
  '1.0.0-beta.2',
  '1.0.0-beta.11',
  '1.0.0-rc.1',
  '1.0.0',
  '1.2.0',
  '1.10.0',
  '2.0.0',
  '10.0.0-0',
]

const special: Record<string, Record<string, unknown>> = {
  '1.0.0': {
    platform: 'windows',
    labels: ['Stable', 'signed'],
    architectures: ['x64', 'arm64v8'],
    notes: 'first 100% done_one',
    vc_branch: 'main',
  },
  '1.2.0': {
    platform: 'android',
    primary_file: { filename: 'Game.apk' },
    labels: ['signed'],
    architectures: ['arm64v8'],
    vc_branch: 'main',
  },
  '2.0.0': {
    custom_target: 'handheld',
    source: 'web-upload',
    custom_build_number: 'B-4711',
    vc_branch: 'next',
  },
  '10.0.0-0': { stream: 'nightlies', vc_commit_sha: 'cafe0123456789', built_at: '2020-01-01T00:00:00Z' },
}

before(async () => {
  service = await startService()
  tenant = await service.tenant()
  const { workspaceId, applicationId } = tenant
  const { db } = service.deps
  const targets = [
    { id: crypto.randomUUID(), workspace_id: workspaceId, name: 'handheld', platform: 'linux' },
    { id: crypto.randomUUID(), workspace_id: workspaceId, name: 'watch', platform: 'apple-watch' },
  ]
  await db.insertInto('custom_targets').values(targets).execute()
  await db
    .insertInto('labels')
    .values({ id: shortId(10), workspace_id: workspaceId, name: 'Shared', color: '#112233' })
    .execute()
  for (const version of [...versionsInOrder].toSorted(() => Math.random() - 0.5)) {
    const [, major, minor, patch, extra] = /^(\d+)\.(\d+)\.(\d+)(?:-(.+))?$/.exec(version)!
    const fields = {
      version_component_1_major: Number(major),
      version_component_2_minor: Number(minor),
      version_component_3_patch: Number(patch),
      version_component_extra: extra ?? '',
      ...special[version],
    }
    const bytes = Buffer.alloc(100 + versionsInOrder.indexOf(version), 1)
    const { build } = await uploadedBuild(service, tenant, fields, bytes)
    buildsByVersion.set(version, build)
  }
  await uploadedBuild(service, await service.tenant())
  await requestUpload(service, tenant)
  const { build: deleted } = await uploadedBuild(service, tenant, { notes: 'first 100% done_one' })
  await db
    .updateTable('builds')
    .set({ deleted_at: '2026-11-01T00:00:00Z' })
    .where('id', '=', deleted.id)
    .execute()
  // Makes the build times equal, so that the builds are ordered by ID.
  await db
    .updateTable('builds')
    .set({ built_at: '2026-11-01T00:00:00Z' })
    .where('application_id', '=', applicationId)
    .where('version_major', '<', 10)
    .execute()
})
after(() => service.close())

const list = (query: Record<string, string | number>) => {
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])
  const text = new URLSearchParams(pairs).toString()
  return service.call('GET', `/applications/${tenant.applicationId}/builds?${text}`, {
    key: tenant.applicationKey,
  })
}

async function versions(query: Record<string, string | number>): Promise<string[]> {
  const response = await list({ per_page: 100, ...query })
  assert.equal(response.status, 200, response.text)
  const found = response.body.data.map(({ version }: Build) => version)
  assert.equal(response.body.pagination.total, found.length)
  return found
}

const idOf = (version: string) => buildsByVersion.get(version)!.id
const byId = (unsorted: string[]) => unsorted.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1))

test('lists the builds of an application from oldest to newest and omits pending and trashed builds', async () => {
  const { body } = await list({})
  assert.equal(body.errors, undefined)
  assert.deepEqual(
    body.data.map(({ version }: Build) => version),
    [...buildsByVersion.keys()],
  )
  assert.ok(body.data.every(({ pending }: Build) => pending === false))
  assert.deepEqual(body.pagination, {
    current_page: 1,
    per_page: 15,
    total: 12,
    last_page: 1,
    from: 1,
    to: 12,
  })
})

test('omits detail fields such as primary_file from the list and returns them only for a single build', async () => {
  const { body } = await list({ search: 'B-4711' })
  const [build] = body.data
  const single = await service.call('GET', `/applications/${tenant.applicationId}/builds/${build.id}`, {
    key: tenant.applicationKey,
  })
  const omitted = Object.keys(single.body.data).filter((field) => !(field in build))
  const names =
    'android_info application_id expansion_files file_info ios_info kept_by metadata_artifacts primary_file workspace_id'
  assert.deepEqual(omitted.toSorted(), names.split(' '))
  for (const field of Object.keys(build)) assert.deepEqual(build[field], single.body.data[field], field)
  assert.equal(build.custom_target.name, 'handheld')
  assert.equal(build.custom_target.level, 'workspace')
})

test('sorts builds by SemVer precedence in ascending or descending order', async () => {
  assert.deepEqual(await versions({ sort_by: 'version' }), versionsInOrder)
  assert.deepEqual(await versions({ sort_by: 'version', sort: 'desc' }), versionsInOrder.toReversed())
})

test('sorts builds numerically by version_short and then by ID', async () => {
  const core = (version: string) => version.split('-')[0]!
  const cores = [...new Set(versionsInOrder.map(core))]
  const expected = cores.flatMap((short) =>
    byId(versionsInOrder.filter((version) => core(version) === short)),
  )
  assert.deepEqual(await versions({ sort_by: 'version_short' }), expected)
  assert.deepEqual(await versions({ sort_by: 'version_short', sort: 'desc' }), expected.toReversed())
})

test('sorts builds by size, build time or creation time and then by ID', async () => {
  assert.deepEqual(await versions({ sort_by: 'size_total_bytes' }), versionsInOrder)
  assert.deepEqual(await versions({ sort_by: 'built_at' }), [
    '10.0.0-0',
    ...byId(versionsInOrder.slice(0, -1)),
  ])
  assert.deepEqual(await versions({ sort: 'desc' }), [...buildsByVersion.keys()].toReversed())
})

test('paginates builds with equal sort values without skipping or repeating any of them', async () => {
  for (const sort of ['asc', 'desc']) {
    const all = await versions({ sort_by: 'built_at', sort })
    const paged: string[] = []
    for (let page = 1; page <= 3; page++) {
      const { body } = await list({ sort_by: 'built_at', sort, page, per_page: 5 })
      paged.push(...body.data.map(({ version }: Build) => version))
      const to = Math.min(page * 5, 12)
      assert.deepEqual(body.pagination, {
        current_page: page,
        per_page: 5,
        total: 12,
        last_page: 3,
        from: page * 5 - 4,
        to,
      })
    }
    assert.deepEqual(paged, all)
  }
})

for (const page of [4, 1_000_000, Number.MAX_SAFE_INTEGER]) {
  test(`returns an empty list for page ${page} when there are only three pages`, async () => {
    const { body } = await list({ page, per_page: 5 })
    assert.deepEqual(body.data, [])
    const { current_page, ...others } = body.pagination
    assert.equal(current_page, page)
    assert.deepEqual(others, { per_page: 5, total: 12, last_page: 3, from: null, to: null })
  })
}

for (const [name, query, expected = versionsInOrder] of [
  ['filters by platform', { platforms: 'windows' }, ['1.0.0']],
  ['ignores spaces between listed platforms', { platforms: 'android, windows' }, ['1.0.0', '1.2.0']],
  ['returns no builds for a platform without builds', { platforms: 'ios' }, []],
  ['filters by stream name', { streams: 'nightlies' }, ['10.0.0-0']],
  ['returns builds from any of the listed streams', { streams: 'nightlies,default' }],
  ['returns no builds for a stream without builds', { streams: 'stable' }, []],
  ['filters by label name', { labels: 'signed' }, ['1.0.0', '1.2.0']],
  ['ignores the case of label names', { labels: 'STABLE' }, ['1.0.0']],
  ['returns builds with any of the listed labels', { labels: 'stable,signed' }, ['1.0.0', '1.2.0']],
  ['returns no builds for a workspace label that no build has', { labels: 'shared' }, []],
  ['filters by custom target name', { custom_targets: 'handheld' }, ['2.0.0']],
  ['filters by architecture', { architectures: 'arm64v8' }, ['1.0.0', '1.2.0']],
  ['returns builds with any of the listed architectures', { architectures: 'x64, armv7' }, ['1.0.0']],
  ['returns no builds for an architecture that no build has', { architectures: 'ppc' }, []],
  ['filters by architecture and platform', { architectures: 'arm64v8', platforms: 'android' }, ['1.2.0']],
  ['filters by source', { sources: 'web-upload' }, ['2.0.0']],
  ['returns builds from any of the listed branches', { branches: 'main,next' }, ['1.0.0', '1.2.0', '2.0.0']],
  ['searches build numbers', { search: '4711' }, ['2.0.0']],
  ['searches versions', { search: '1.0.0-beta' }, ['1.0.0-beta', '1.0.0-beta.2', '1.0.0-beta.11']],
  ['searches commit SHAs', { search: 'cafe012' }, ['10.0.0-0']],
  ['searches filenames case-insensitively', { search: 'game.AP' }, ['1.2.0']],
  ['searches notes for text with a percent sign', { search: '100%' }, ['1.0.0']],
  ['searches notes for text with an underscore', { search: 'done_one' }, ['1.0.0']],
  ['treats a percent sign in the search term as a literal', { search: '%' }, ['1.0.0']],
  ['treats a backslash in the search term as a literal', { search: '\\' }, []],
  ['does not confuse letters with separators', { search: '1z0z0xbeta' }, []],
  ['combines filters with AND', { platforms: 'windows', labels: 'signed', branches: 'next' }, []],
  ['ignores empty parameters', { platforms: '', labels: '', search: '', sort_by: '', page: '' }],
  ['filters by creation time', { created_after: '2020-01-01', created_before: '2999-01-01T00:00:00+02:00' }],
  ['omits builds created after the created_before time', { created_before: '2020-01-01T00:00:00Z' }, []],
  ['ignores unknown parameters', { nonsense: 'x', PLATFORMS: 'x', _: '1' }],
] as [string, Record<string, string>, string[]?][]) {
  test(name, async () => {
    assert.deepEqual(
      (await versions({ ...query, sort_by: query['sort_by'] ?? 'version' })).toSorted(),
      expected.toSorted(),
    )
  })
}

test('filters by the ID of a stream, label or custom target', async () => {
  const { stream, labels, custom_target: target } = (await list({ search: '4711' })).body.data[0]
  assert.deepEqual(labels, [])
  assert.deepEqual(await versions({ custom_targets: target.id }), ['2.0.0'])
  assert.equal((await versions({ streams: stream.id })).length, 11)
  const [labelled] = (await list({ labels: 'stable' })).body.data
  const stable = labelled.labels.find(({ name }: { name: string }) => name === 'Stable')
  assert.deepEqual(await versions({ labels: stable.id }), ['1.0.0'])
})

test('treats created_after as inclusive and created_before as exclusive', async () => {
  const created = buildsByVersion.get('1.2.0')!['created_at'] as string
  assert.ok((await versions({ created_after: created })).includes('1.2.0'))
  assert.ok(!(await versions({ created_before: created })).includes('1.2.0'))
})

for (const [problem, query, unknown = ''] of [
  ['an unknown platform', { platforms: 'linux,amiga' }, 'amiga'],
  ['an unknown stream', { streams: 'default,Nowhere' }, 'Nowhere'],
  ['an unknown label', { labels: 'signed,unheard of' }, 'unheard of'],
  ['an unknown custom target', { custom_targets: 'toaster' }, 'toaster'],
  ['a custom target whose platform is not attached to the application', { custom_targets: 'watch' }, 'watch'],
  ['an unknown architecture', { architectures: 'x64,abacus' }, 'abacus'],
  ['an unknown source', { sources: 'carrier-pigeon' }, 'carrier-pigeon'],
  ['a page size of 0', { per_page: '0' }],
  ['a page size of 101', { per_page: '101' }],
  ['a page number of 0', { page: '0' }],
  ['an unsupported sort key', { sort_by: 'name' }],
  ['an unsupported sort order', { sort: 'up' }],
  ['a search term of 101 characters', { search: 'x'.repeat(101) }],
  ['a created_after value that is not a date', { created_after: 'yesterday' }],
] as [string, Record<string, string>, string?][]) {
  test(`rejects a list request with ${problem}`, async () => {
    const { status, body } = await list(query)
    assert.equal(status, 422)
    assert.deepEqual(Object.keys(body.errors), Object.keys(query))
    assert.ok(body.message.includes(unknown || Object.keys(query)[0]), body.message)
  })
}

test('ignores the custom_targets filter and returns a notice while custom targets are disabled', async () => {
  const { db } = service.deps
  const set = (custom_targets_enabled: boolean) =>
    db
      .updateTable('workspaces')
      .set({ custom_targets_enabled })
      .where('id', '=', tenant.workspaceId)
      .execute()
  await set(false)
  const { status, body } = await list({ custom_targets: 'toaster' })
  await set(true)
  assert.equal(status, 200)
  assert.equal(body.data.length, 12)
  assert.match(body.message, /custom targets are disabled.*ignored/i)
})
