import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { uploadedBuild, versionOf } from '../../../test/uploading.ts'

describe('kept builds and the trash', () => {
  let service: Service
  let tenant: Tenant
  let base: string
  before(async () => {
    service = await startService()
  })
  after(() => service.close())
  beforeEach(async () => {
    tenant = await service.tenant()
    base = `/applications/${tenant.applicationId}`
  })

  const send = (method: string, path: string, body?: unknown) =>
    service.call(method, path, { key: tenant.workspaceKey, ...(body === undefined ? {} : { body }) })
  const upload = async (): Promise<string> => (await uploadedBuild(service, tenant)).build.id
  const list = async (query: string) => (await send('GET', `${base}/builds?${query}`)).body
  const idsOf = async (query: string): Promise<string[]> => {
    const { data, pagination } = await list(query)
    assert.equal(pagination.total, data.length, query)
    return data.map(({ id }: { id: string }) => id)
  }

  /** Creates four builds: one in a release, one with a share link, one with `keep_forever` and one that is not kept. */
  async function keepSome() {
    const [released, shared, pinned, free] = [await upload(), await upload(), await upload(), await upload()]
    const release = await send('POST', `${base}/releases`, {
      ...versionOf(2),
      title: 'Spring',
      build_ids: [released],
    })
    const link = await send('POST', `${base}/builds/${shared}/share-links`, {})
    await send('PATCH', `${base}/builds/${pinned}`, { keep_forever: true })
    return { released, shared, pinned, free, releaseId: release.body.data.id, linkId: link.body.data.id }
  }

  test('returns why a build is kept: a release, a share link or keep_forever', async () => {
    const { released, shared, pinned, free, releaseId, linkId } = await keepSome()
    const keptBy = async (id: string) => (await send('GET', `${base}/builds/${id}`)).body.data.kept_by
    const [byRelease] = await keptBy(released)
    assert.equal(byRelease.reason, 'release')
    assert.deepEqual(byRelease.releases, [{ id: releaseId, title: 'Spring', version: '2.0.0' }])
    const [byLink] = await keptBy(shared)
    assert.deepEqual([byLink.reason, byLink.share_links[0].id], ['share_link', linkId])
    assert.deepEqual(
      (await keptBy(pinned)).map(({ reason }: { reason: string }) => reason),
      ['keep_forever'],
    )
    assert.deepEqual(await keptBy(free), [])
  })

  test('rejects the deletion of a build and names the release or share link that refers to it', async () => {
    const { released, shared, pinned, releaseId, linkId } = await keepSome()
    const byRelease = await send('DELETE', `${base}/builds/${released}`)
    assert.deepEqual([byRelease.status, byRelease.body.code], [409, 'build.held'])
    assert.ok(byRelease.body.message.includes(`"Spring" 2.0.0 (${releaseId})`), byRelease.body.message)
    const byLink = await send('DELETE', `${base}/builds/${shared}`)
    assert.deepEqual([byLink.status, byLink.body.code], [409, 'build.held'])
    assert.ok(byLink.body.message.includes(linkId), byLink.body.message)
    assert.equal((await idsOf('')).length, 4)
    assert.equal((await send('DELETE', `${base}/builds/${released}?force=true`)).status, 200)
    assert.equal((await send('DELETE', `${base}/builds/${pinned}`)).status, 200)
    await send('PATCH', `/share-links/${linkId}`, { is_active: false })
    assert.equal((await send('DELETE', `${base}/builds/${shared}`)).status, 200)
  })

  test('skips released and shared builds in a bulk deletion without force and reports each outcome', async () => {
    const { released, shared, free } = await keepSome()
    const build_ids = [released, shared, free]
    const first = await send('POST', `${base}/builds/bulk`, { build_ids, action: 'delete' })
    assert.deepEqual(
      first.body.data.map(({ done, code }: { done: boolean; code?: string }) => [done, code]),
      [
        [false, 'build.held'],
        [false, 'build.held'],
        [true, undefined],
      ],
    )
    const forced = { build_ids: [released, shared], action: 'delete', force: true }
    const second = await send('POST', `${base}/builds/bulk`, forced)
    assert.ok(second.body.data.every(({ done }: { done: boolean }) => done))
  })

  test('labels the other builds in one transaction if one build would have too many labels', async () => {
    const [full, ...others] = [await upload(), await upload(), await upload()]
    const labels = Array.from({ length: 10 }, (_, index) => `label ${index}`)
    await send('PATCH', `${base}/builds/${full}`, { labels })
    const label = (build_ids: (string | undefined)[]) =>
      send('POST', `${base}/builds/bulk`, { build_ids, action: 'label', labels: ['extra'] })
    const listLabels = async () =>
      (await send('GET', `${base}/labels`)).body.data.map(({ name }: { name: string }) => name)
    const refused = await label([full])
    assert.deepEqual([refused.body.data[0].done, (await listLabels()).includes('extra')], [false, false])
    const { body } = await label([full, ...others])
    assert.deepEqual(
      body.data.map(({ done, code }: { done: boolean; code?: string }) => [done, code]),
      [
        [false, 'request.invalid'],
        [true, undefined],
        [true, undefined],
      ],
    )
    const { rows } = await sql<{ count: number; transactions: number }>`
      select count(*)::int as count, count(distinct build_labels.xmin::text)::int as transactions from build_labels
      where label_id = (select id from labels where name = 'extra' and application_id = ${tenant.applicationId})`.execute(
      service.deps.db,
    )
    assert.deepEqual(rows, [{ count: 2, transactions: 1 }])
  })

  test('accepts either the deletion of a build or a concurrent release that contains it, but not both', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await upload()
      const release = { ...versionOf(1), title: `Race ${round}`, build_ids: [id] }
      const [deleted, created] = await Promise.all([
        send('DELETE', `${base}/builds/${id}`),
        send('POST', `${base}/releases`, release),
      ])
      assert.deepEqual([created.status, deleted.status], created.status === 201 ? [201, 409] : [404, 200])
    }
  })

  test('filters builds by whether they are exempt from retention', async () => {
    const { released, shared, pinned, free } = await keepSome()
    assert.deepEqual(await idsOf('kept=true'), [released, shared, pinned])
    assert.deepEqual(await idsOf('kept=false'), [free])
    assert.deepEqual(await idsOf('kept=false&streams=default&search=1.2'), [free])
    assert.equal((await send('GET', `${base}/builds?kept=maybe`)).status, 422)
  })

  test('lists the builds in the trash, including who deleted each one and when it will be purged', async () => {
    const { free, pinned } = await keepSome()
    for (const id of [free, pinned]) await send('DELETE', `${base}/builds/${id}`)
    assert.deepEqual(await idsOf('trashed=true'), [pinned, free])
    assert.deepEqual(await idsOf('trashed=true&search=1.2.3&kept=true&platforms=linux'), [pinned])
    assert.equal((await idsOf('trashed=false')).length, 2)
    const [build] = (await list('trashed=true&kept=false')).data
    assert.equal(build.deleted_by.name, 'test')
    assert.equal(build.deleted_by.kind, 'api-key')
    assert.equal(Date.parse(build.purge_at) - Date.parse(build.deleted_at), 7 * 24 * 60 * 60 * 1000)
    assert.equal((await send('POST', `${base}/builds/${build.id}/restore`)).status, 200)
    assert.deepEqual(await idsOf('trashed=true'), [pinned])
    assert.ok(!('deleted_at' in (await list('')).data[0]))
  })

  test('lists the applications in the trash', async () => {
    assert.equal((await send('DELETE', base)).status, 200)
    const { data, pagination } = (await send('GET', '/applications?trashed=true')).body
    assert.deepEqual(
      [pagination.total, data[0].id, data[0].deleted_by.name],
      [1, tenant.applicationId, 'test'],
    )
    assert.ok(data[0].deleted_at < data[0].purge_at)
    assert.equal((await send('GET', '/applications')).body.pagination.total, 0)
  })

  test('returns download links for several builds and lists the IDs of missing builds', async () => {
    const ids = [await upload(), await upload()]
    const foreign = (await uploadedBuild(service, await service.tenant())).build.id
    const { status, body } = await send('POST', `${base}/builds/downloads`, {
      build_ids: [...ids, foreign, 'none'],
    })
    assert.equal(status, 200)
    assert.deepEqual(
      [body.data.map(({ build_id }: { build_id: string }) => build_id), body.missing],
      [ids, [foreign, 'none']],
    )
    for (const { primary_file } of body.data) {
      const response = await fetch(primary_file.temp_url)
      assert.equal((await response.arrayBuffer()).byteLength, primary_file.size_bytes)
    }
    for (const id of ids)
      assert.equal((await send('GET', `${base}/builds/${id}/downloads`)).body.pagination.total, 1)
  })
})
