import assert from 'node:assert/strict'
import { startService } from '../harness.ts'
import { insertMember } from '../people.ts'
import { uploadedBuild, versionOf } from '../uploading.ts'
import { ok } from './everything.ts'
import type { Json } from './shapes.ts'

/** The build and release versions, in order of creation. */
export const versions = ['2.0.0', '1.0.0', '1.0.0-beta.11', '1.0.0-beta.2', '10.0.0']

let workspaceCount = 0

/** Creates a workspace with several resources of each kind and returns the functions that list tests share. */
export async function openListed() {
  const service = await startService()
  const tenant = await service.tenant()
  const base = `/applications/${tenant.applicationId}`

  const call = (path: string) => service.call('GET', path, { key: tenant.workspaceKey })
  const list = async (path: string): Promise<Json[]> => ok(await call(path)).data
  const post = async (path: string, body: object): Promise<Json> =>
    ok(await service.call('POST', path, { key: tenant.workspaceKey, body })).data
  const names = async (path: string, field = 'name') => (await list(path)).map((row) => row[field] as string)

  /** Asserts that the response is a 422 whose message contains these words. */
  async function rejects(path: string, ...words: string[]) {
    const { status, body } = await call(path)
    assert.equal(status, 422, path)
    for (const word of words)
      assert.ok(body.message.includes(word), `"${body.message}" does not name ${word}`)
  }

  async function fill() {
    await service.call('PATCH', base, { key: tenant.workspaceKey, body: { name: 'Kappa' } })
    for (const [name, platforms] of [
      ['alpha', ['ios']],
      ['Beta', ['ios', 'macos']],
      ['gamma 100%', ['linux']],
    ] as const)
      await post('/applications', { name, platforms, description: `made for ${name}` })
    // Emails are unique, and test files that share a service create the same people.
    const domain = `example${(workspaceCount += 1)}.com`
    for (const [name, account, applicationRole] of [
      ['Zoe', 'a', 'qa'],
      ['adam', 'z', 'developer'],
      ['Mia', 'm', 'readonly'],
    ] as const)
      await insertMember(service, tenant, { name, email: `${account}@${domain}`, applicationRole })
    await insertMember(service, tenant, { name: 'Olga', email: `o@${domain}`, workspaceRole: 'owner' })
    await post(`${base}/custom-targets`, { name: 'deck', platform: 'linux' })
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
      await post(`${base}/releases`, {
        title: ['delta', 'Charlie', 'bravo', 'Alfa', 'echo'][index] ?? '',
        ...versionOf(major, minor, patch),
        version_component_extra: extra,
        labels: index === 1 ? ['One'] : [],
        build_ids: index < 3 ? [build.id] : [],
      })
    }
  }

  /** Asserts the default order, the order for each sort key in both directions, and a 422 for unknown values. */
  async function assertSorts(
    path: string,
    field: string,
    orders: Record<string, string[]>,
    defaultKey: string,
  ) {
    assert.deepEqual(await names(path, field), orders[defaultKey], 'default')
    for (const [key, order] of Object.entries(orders)) {
      assert.deepEqual(await names(`${path}?sort_by=${key}`, field), order, key)
      assert.deepEqual(await names(`${path}?sort_by=${key}&sort=asc`, field), order, `${key} asc`)
      assert.deepEqual(
        await names(`${path}?sort_by=${key}&sort=desc`, field),
        order.toReversed(),
        `${key} desc`,
      )
    }
    await rejects(`${path}?sort_by=nothing`, 'sort_by')
    await rejects(`${path}?sort=up`, 'sort')
  }

  async function assertPages(path: string, defaultPerPage: number) {
    const { pagination } = ok(await call(path))
    assert.equal(pagination.per_page, defaultPerPage)
    for (const perPage of [1, 100])
      assert.equal(ok(await call(`${path}?per_page=${perPage}`)).pagination.per_page, perPage)
    for (const wrong of ['0', '101', '-1', 'x', '1.5']) await rejects(`${path}?per_page=${wrong}`, 'per_page')
    const all = (await list(`${path}?per_page=100`)).map(({ id }) => id as string)
    const paged: string[] = []
    for (let page = 1; page <= Math.ceil(all.length / 2); page++)
      paged.push(...(await names(`${path}?per_page=2&page=${page}`, 'id')))
    assert.deepEqual(paged, all)
    const beyond = ok(await call(`${path}?page=99`))
    assert.deepEqual(
      [beyond.data, beyond.pagination.from, beyond.pagination.to, beyond.pagination.total],
      [[], null, null, all.length],
    )
  }

  await fill()
  return { service, tenant, base, call, list, post, names, rejects, assertSorts, assertPages }
}
