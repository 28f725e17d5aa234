import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { requestUpload, uploadedBuild } from '../../../test/uploading.ts'
import { shortId } from '../../lib/ids.ts'

type Build = { id: string; version: string; [field: string]: unknown }

let service: Service
let tenant: Tenant
const buildsByVersion = new Map<string, Build>()

// In the order of precedence defined by SemVer 2.0.0, clause 11.
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
  // Makes the build times equal, so that the id decides the order.
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

test('lists the builds of an application, oldest first, and omits pending and trashed builds', async () => {
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

test('omits from the list the fields that are returned only for a single build', async () => {
  const { body } = await list({ search: 'B-4711' })
  const [build] = body.data
  const single = await service.call('GET', `/applications/${tenant.applicationId}/builds/${build.id}`, {
    key: tenant.applicationKey,
  })
  const omitted = Object.keys(single.body.data).filter((field) => !(field in build))
  const names =
    'android_info application_id expansion_files ios_info kept_by metadata_artifacts primary_file workspace_id'
  assert.deepEqual(omitted.toSorted(), names.split(' '))
  for (const field of Object.keys(build)) assert.deepEqual(build[field], single.body.data[field], field)
  assert.equal(build.custom_target.name, 'handheld')
  assert.equal(build.custom_target.level, 'workspace')
})

test('sorts by version in SemVer precedence order, in both directions', async () => {
  assert.deepEqual(await versions({ sort_by: 'version' }), versionsInOrder)
  assert.deepEqual(await versions({ sort_by: 'version', sort: 'desc' }), versionsInOrder.toReversed())
})

test('sorts by the three numbers of version_short, then by id', async () => {
  const core = (version: string) => version.split('-')[0]!
  const cores = [...new Set(versionsInOrder.map(core))]
  const expected = cores.flatMap((short) =>
    byId(versionsInOrder.filter((version) => core(version) === short)),
  )
  assert.deepEqual(await versions({ sort_by: 'version_short' }), expected)
  assert.deepEqual(await versions({ sort_by: 'version_short', sort: 'desc' }), expected.toReversed())
})

test('sorts by size, build time or creation time and breaks ties by id', async () => {
  assert.deepEqual(await versions({ sort_by: 'size_total_bytes' }), versionsInOrder)
  assert.deepEqual(await versions({ sort_by: 'built_at' }), [
    '10.0.0-0',
    ...byId(versionsInOrder.slice(0, -1)),
  ])
  assert.deepEqual(await versions({ sort: 'desc' }), [...buildsByVersion.keys()].toReversed())
})

test('pages through ties without skipping or repeating a build', async () => {
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
  test(`returns an empty list for page ${page}, which is past the end`, async () => {
    const { body } = await list({ page, per_page: 5 })
    assert.deepEqual(body.data, [])
    const { current_page, ...others } = body.pagination
    assert.equal(current_page, page)
    assert.deepEqual(others, { per_page: 5, total: 12, last_page: 3, from: null, to: null })
  })
}

for (const [query, expected] of [
  [{ platforms: 'windows' }, ['1.0.0']],
  [{ platforms: 'android, windows' }, ['1.0.0', '1.2.0']],
  [{ platforms: 'ios' }, []],
  [{ streams: 'nightlies' }, ['10.0.0-0']],
  [{ streams: 'nightlies,default' }, versionsInOrder],
  [{ streams: 'stable' }, []],
  [{ labels: 'signed' }, ['1.0.0', '1.2.0']],
  [{ labels: 'STABLE' }, ['1.0.0']],
  [{ labels: 'stable,signed' }, ['1.0.0', '1.2.0']],
  [{ labels: 'shared' }, []],
  [{ custom_targets: 'handheld' }, ['2.0.0']],
  [{ architectures: 'arm64v8' }, ['1.0.0', '1.2.0']],
  [{ architectures: 'x64, armv7' }, ['1.0.0']],
  [{ architectures: 'ppc' }, []],
  [{ architectures: 'arm64v8', platforms: 'android' }, ['1.2.0']],
  [{ sources: 'web-upload' }, ['2.0.0']],
  [{ branches: 'main,next' }, ['1.0.0', '1.2.0', '2.0.0']],
  [{ search: '4711' }, ['2.0.0']],
  [{ search: '1.0.0-beta' }, ['1.0.0-beta', '1.0.0-beta.2', '1.0.0-beta.11']],
  [{ search: 'cafe012' }, ['10.0.0-0']],
  [{ search: 'game.AP' }, ['1.2.0']],
  [{ search: '100%' }, ['1.0.0']],
  [{ search: 'done_one' }, ['1.0.0']],
  [{ search: '%' }, ['1.0.0']],
  [{ search: '\\' }, []],
  [{ platforms: 'windows', labels: 'signed', branches: 'next' }, []],
  [{ platforms: '', labels: '', search: '', sort_by: '', page: '' }, versionsInOrder],
  [{ created_after: '2020-01-01', created_before: '2999-01-01T00:00:00+02:00' }, versionsInOrder],
  [{ created_before: '2020-01-01T00:00:00Z' }, []],
  [{ nonsense: 'x', PLATFORMS: 'x', 'platforms[]': 'x' }, versionsInOrder],
] as [Record<string, string>, string[]][]) {
  test(`returns only the builds that match ${JSON.stringify(query)}`, async () => {
    assert.deepEqual(
      (await versions({ ...query, sort_by: query['sort_by'] ?? 'version' })).toSorted(),
      expected.toSorted(),
    )
  })
}

test('filters by the ids of streams, labels and custom targets', async () => {
  const { stream, labels, custom_target: target } = (await list({ search: '4711' })).body.data[0]
  assert.deepEqual(labels, [])
  assert.deepEqual(await versions({ custom_targets: target.id }), ['2.0.0'])
  assert.equal((await versions({ streams: stream.id })).length, 11)
  const [labelled] = (await list({ labels: 'stable' })).body.data
  const stable = labelled.labels.find(({ name }: { name: string }) => name === 'Stable')
  assert.deepEqual(await versions({ labels: stable.id }), ['1.0.0'])
})

test('created_after is inclusive and created_before is exclusive', async () => {
  const created = buildsByVersion.get('1.2.0')!['created_at'] as string
  assert.ok((await versions({ created_after: created })).includes('1.2.0'))
  assert.ok(!(await versions({ created_before: created })).includes('1.2.0'))
})

for (const [query, unknown = ''] of [
  [{ platforms: 'linux,amiga' }, 'amiga'],
  [{ streams: 'default,Nowhere' }, 'Nowhere'],
  [{ labels: 'signed,unheard of' }, 'unheard of'],
  [{ custom_targets: 'toaster' }, 'toaster'],
  [{ custom_targets: 'watch' }, 'watch'],
  [{ architectures: 'x64,abacus' }, 'abacus'],
  [{ sources: 'carrier-pigeon' }, 'carrier-pigeon'],
  [{ per_page: '0' }],
  [{ per_page: '101' }],
  [{ page: '0' }],
  [{ sort_by: 'name' }],
  [{ sort: 'up' }],
  [{ search: 'x'.repeat(51) }],
  [{ created_after: 'yesterday' }],
] as [Record<string, string>, string?][]) {
  test(`rejects ${JSON.stringify(query).slice(0, 60)} and names ${unknown || 'the parameter'}`, async () => {
    const { status, body } = await list(query)
    assert.equal(status, 422)
    assert.deepEqual(Object.keys(body.errors), Object.keys(query))
    assert.ok(body.message.includes(unknown || Object.keys(query)[0]), body.message)
  })
}

test('ignores the custom_targets filter, with a notice, while custom targets are disabled', async () => {
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
