import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { requested, uploadedBuild } from '../../../test/uploading.ts'
import { shortId } from '../../lib/ids.ts'

type Build = { id: string; version: string; [field: string]: unknown }

let service: Service
let tenant: Tenant
/** By version. */
const builds = new Map<string, Build>()

// SemVer 2.0.0 clause 11, in order
const inOrder = [
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
    notes: 'first 100% done_one',
    vc_branch: 'main',
  },
  '1.2.0': {
    platform: 'android',
    primary_file: { filename: 'Game.apk' },
    labels: ['signed'],
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
  for (const version of [...inOrder].toSorted(() => Math.random() - 0.5)) {
    const [, major, minor, patch, extra] = /^(\d+)\.(\d+)\.(\d+)(?:-(.+))?$/.exec(version)!
    const fields = {
      version_component_1_major: Number(major),
      version_component_2_minor: Number(minor),
      version_component_3_patch: Number(patch),
      version_component_extra: extra ?? '',
      ...special[version],
    }
    const bytes = Buffer.alloc(100 + inOrder.indexOf(version), 1)
    const { build } = await uploadedBuild(service, tenant, fields, bytes)
    builds.set(version, build)
  }
  await uploadedBuild(service, await service.tenant())
  await requested(service, tenant)
  const { build: deleted } = await uploadedBuild(service, tenant, { notes: 'first 100% done_one' })
  await db
    .updateTable('builds')
    .set({ deleted_at: '2026-11-01T00:00:00Z' })
    .where('id', '=', deleted.id)
    .execute()
  // what has no order of its own is told apart by id
  await db
    .updateTable('builds')
    .set({ built_at: '2026-11-01T00:00:00Z' })
    .where('application_id', '=', applicationId)
    .where('version_major', '<', 10)
    .execute()
})
after(() => service.close())

const ask = (query: Record<string, string | number>) => {
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])
  const text = new URLSearchParams(pairs).toString()
  return service.call('GET', `/applications/${tenant.applicationId}/builds?${text}`, {
    key: tenant.applicationKey,
  })
}

async function versions(query: Record<string, string | number>): Promise<string[]> {
  const answer = await ask({ per_page: 100, ...query })
  assert.equal(answer.status, 200, answer.text)
  const found = answer.body.data.map(({ version }: Build) => version)
  assert.equal(answer.body.pagination.total, found.length)
  return found
}

const idOf = (version: string) => builds.get(version)!.id
const byId = (list: string[]) => list.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1))

test('contract 4.2: builds of the application alone, not pending, not in the trash; oldest first', async () => {
  const { status, body } = await ask({})
  assert.equal(status, 200)
  assert.equal(body.errors, undefined)
  assert.deepEqual(
    body.data.map(({ version }: Build) => version),
    [...builds.keys()],
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

test('contract 2.9: a listed build has what the list shows and nothing of the single read', async () => {
  const { body } = await ask({ search: 'B-4711' })
  const [build] = body.data
  const single = await service.call('GET', `/applications/${tenant.applicationId}/builds/${build.id}`, {
    key: tenant.applicationKey,
  })
  const more = Object.keys(single.body.data).filter((field) => !(field in build))
  assert.deepEqual(
    more.toSorted(),
    'android_info application_id expansion_files ios_info metadata_artifacts primary_file workspace_id'.split(
      ' ',
    ),
  )
  for (const field of Object.keys(build)) assert.deepEqual(build[field], single.body.data[field], field)
  assert.equal(build.custom_target.name, 'handheld')
  assert.equal(build.custom_target.level, 'workspace')
})

test('sorted by version, the precedence of SemVer both ways', async () => {
  assert.deepEqual(await versions({ sort_by: 'version' }), inOrder)
  assert.deepEqual(await versions({ sort_by: 'version', sort: 'desc' }), inOrder.toReversed())
})

test('sorted by version_short, three numbers and then the id', async () => {
  const core = (version: string) => version.split('-')[0]!
  const cores = [...new Set(inOrder.map(core))]
  const expected = cores.flatMap((short) => byId(inOrder.filter((version) => core(version) === short)))
  assert.deepEqual(await versions({ sort_by: 'version_short' }), expected)
  assert.deepEqual(await versions({ sort_by: 'version_short', sort: 'desc' }), expected.toReversed())
})

test('sorted by size, by time of build and by time of creation, ties by id', async () => {
  assert.deepEqual(await versions({ sort_by: 'size_total_bytes' }), inOrder)
  assert.deepEqual(await versions({ sort_by: 'built_at' }), ['10.0.0-0', ...byId(inOrder.slice(0, -1))])
  assert.deepEqual(await versions({ sort: 'desc' }), [...builds.keys()].toReversed())
})

test('page after page, every build once, whatever the ties', async () => {
  for (const sort of ['asc', 'desc']) {
    const all = await versions({ sort_by: 'built_at', sort })
    const paged: string[] = []
    for (let page = 1; page <= 3; page++) {
      const { body } = await ask({ sort_by: 'built_at', sort, page, per_page: 5 })
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
  test(`page ${page}, past the end, an empty list`, async () => {
    const { status, body } = await ask({ page, per_page: 5 })
    assert.equal(status, 200)
    assert.deepEqual(body.data, [])
    assert.deepEqual(body.pagination, {
      current_page: page,
      per_page: 5,
      total: 12,
      last_page: 3,
      from: null,
      to: null,
    })
  })
}

for (const [query, expected] of [
  [{ platforms: 'windows' }, ['1.0.0']],
  [{ platforms: 'android, windows' }, ['1.0.0', '1.2.0']],
  [{ platforms: 'ios' }, []],
  [{ streams: 'nightlies' }, ['10.0.0-0']],
  [{ streams: 'nightlies,default' }, inOrder],
  [{ streams: 'stable' }, []],
  [{ labels: 'signed' }, ['1.0.0', '1.2.0']],
  [{ labels: 'STABLE' }, ['1.0.0']],
  [{ labels: 'stable,signed' }, ['1.0.0', '1.2.0']],
  [{ labels: 'shared' }, []],
  [{ custom_targets: 'handheld' }, ['2.0.0']],
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
  [{ platforms: '', labels: '', search: '', sort_by: '', page: '' }, inOrder],
  [{ created_after: '2020-01-01', created_before: '2999-01-01T00:00:00+02:00' }, inOrder],
  [{ created_before: '2020-01-01T00:00:00Z' }, []],
  [{ nonsense: 'x', PLATFORMS: 'x', 'platforms[]': 'x' }, inOrder],
] as [Record<string, string>, string[]][]) {
  test(`${JSON.stringify(query)}, ${expected.length} builds`, async () => {
    assert.deepEqual(
      (await versions({ ...query, sort_by: query['sort_by'] ?? 'version' })).toSorted(),
      expected.toSorted(),
    )
  })
}

test('filters by id, as by name', async () => {
  const { stream, labels, custom_target: target } = (await ask({ search: '4711' })).body.data[0]
  assert.deepEqual(labels, [])
  assert.deepEqual(await versions({ custom_targets: target.id }), ['2.0.0'])
  assert.equal((await versions({ streams: stream.id })).length, 11)
  const [labelled] = (await ask({ labels: 'stable' })).body.data
  const stable = labelled.labels.find(({ name }: { name: string }) => name === 'Stable')
  assert.deepEqual(await versions({ labels: stable.id }), ['1.0.0'])
})

test('created_after is inclusive, created_before exclusive', async () => {
  const created = builds.get('1.2.0')!['created_at'] as string
  assert.ok((await versions({ created_after: created })).includes('1.2.0'))
  assert.ok(!(await versions({ created_before: created })).includes('1.2.0'))
})

for (const [query, bad = ''] of [
  [{ platforms: 'linux,amiga' }, 'amiga'],
  [{ streams: 'default,Nowhere' }, 'Nowhere'],
  [{ labels: 'signed,unheard of' }, 'unheard of'],
  [{ custom_targets: 'toaster' }, 'toaster'],
  [{ custom_targets: 'watch' }, 'watch'],
  [{ sources: 'carrier-pigeon' }, 'carrier-pigeon'],
  [{ per_page: '0' }],
  [{ per_page: '101' }],
  [{ page: '0' }],
  [{ sort_by: 'name' }],
  [{ sort: 'up' }],
  [{ search: 'x'.repeat(51) }],
  [{ created_after: 'yesterday' }],
] as [Record<string, string>, string?][]) {
  test(`${JSON.stringify(query).slice(0, 60)}, 422 whose message names ${bad || 'the parameter'}`, async () => {
    const { status, body } = await ask(query)
    assert.equal(status, 422)
    assert.deepEqual(Object.keys(body.errors), Object.keys(query))
    assert.ok(body.message.includes(bad || Object.keys(query)[0]), body.message)
  })
}

test('a workspace without custom targets, the filter is ignored and the message says so', async () => {
  const set = (custom_targets_enabled: boolean) =>
    service.deps.db
      .updateTable('workspaces')
      .set({ custom_targets_enabled })
      .where('id', '=', tenant.workspaceId)
      .execute()
  await set(false)
  const { status, body } = await ask({ custom_targets: 'toaster' })
  await set(true)
  assert.equal(status, 200)
  assert.equal(body.data.length, 12)
  assert.match(body.message, /custom targets are off.*ignored/i)
})
