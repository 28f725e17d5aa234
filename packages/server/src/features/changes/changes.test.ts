import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { uploadedBuild, versionOf } from '../../../test/uploading.ts'
import { raisePositionsAfterRestore, selectCommittedBefore } from '../../database/commit-order.db.ts'
import { purgeOverdueBuilds } from '../builds/purge-builds.job.ts'
import { deleteSomeOldChanges } from './change.db.ts'

type Build = {
  id: string
  version: string
  notes: string | null
  stream: { id: string; name: string }
  labels: { name: string }[]
  architectures: { identifier: string }[]
  primary_file: { checksum_md5: string | null; checksum_sha256: string | null }
  metadata_artifacts: { id: string }[]
}
type Release = { id: string; title: string; build_ids: string[]; labels: { name: string }[] }
type Change = { type: string; id: string; deleted: boolean; build: Build | null; release: Release | null }

describe('changes', () => {
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

  const call = async (method: string, path: string, body?: unknown) => {
    const response = await service.call(method, path, {
      key: tenant.workspaceKey,
      ...(body === undefined ? {} : { body }),
    })
    assert.ok(response.status < 300, `${method} ${path}: ${response.text}`)
    return response.body
  }
  const get = (query: string, key = tenant.workspaceKey) =>
    service.call('GET', `${base}/changes?${query}`, { key })

  /** Returns whether transactions that are still running, such as those of other tests, hide changes of the tenant. */
  const isDelayed = async () => {
    const { rows } = await sql<{ count: number }>`select count(*) from changes
      where owner_id in (${tenant.applicationId}, ${tenant.workspaceId}) and position >= ${selectCommittedBefore}`.execute(
      service.deps.db,
    )
    return rows[0]?.count !== 0
  }

  /** Reads everything that was committed before the call. */
  async function read(from?: string, limit = 100): Promise<{ changes: Change[]; cursor: string }> {
    while (await isDelayed());
    return readOnce(from, limit)
  }

  /** Reads to the end of the feed. */
  async function readOnce(from?: string, limit = 100): Promise<{ changes: Change[]; cursor: string }> {
    const changes: Change[] = []
    for (let cursor = from; ;) {
      const { status, body, text } = await get(
        `limit=${limit}${cursor === undefined ? '' : `&cursor=${cursor}`}`,
      )
      assert.equal(status, 200, text)
      assert.ok(body.data.length <= limit)
      changes.push(...body.data)
      cursor = body.cursor as string
      if (!body.has_more) return { changes, cursor }
    }
  }
  const upload = async (fields: Record<string, unknown> = {}): Promise<Build> =>
    (await uploadedBuild(service, tenant, fields)).build

  /** Runs a change and returns the ids of the builds and releases that the feed then lists. */
  async function changedBy(change: () => Promise<unknown>, cursor: string) {
    await change()
    const found = await read(cursor)
    return { ...found, ids: found.changes.map(({ id }) => id).toSorted() }
  }

  test('a follower misses none of the builds that 30 clients create at once', async () => {
    const seen = new Map<string, Change>()
    let cursor: string | undefined
    const follow = async () => {
      const { changes, cursor: next } = await readOnce(cursor)
      for (const change of changes) seen.set(change.id, change)
      cursor = next
    }
    const expected = new Map<string, string>()
    let running = 30
    const client = async () => {
      for (let turn = 0; turn < 2; turn++) {
        const build = await upload({ labels: [`label-${turn}`] })
        expected.set(build.id, build.primary_file.checksum_sha256 ?? '')
      }
      running--
    }
    const clients = Promise.all(Array.from({ length: 30 }, client))
    while (running > 0) await follow()
    await clients
    while (await isDelayed());
    await follow()
    const found = [...seen.values()].map(({ id, build }) => [id, build?.primary_file.checksum_sha256])
    assert.deepEqual(new Map(found as [string, string][]), expected)
    assert.deepEqual((await read(cursor)).changes, [])
  })

  test('lists a build again when any of its fields changes', async () => {
    const build = await upload({ labels: ['nightly'] })
    const path = `${base}/builds/${build.id}`
    let { cursor } = await read()
    const expectListed = async (change: () => Promise<unknown>, check: (build: Build) => boolean) => {
      const result = await changedBy(change, cursor)
      assert.deepEqual(result.ids, [build.id], change.toString())
      assert.ok(
        check(result.changes[0]!.build!),
        `${change.toString()}: ${JSON.stringify(result.changes[0])}`,
      )
      cursor = result.cursor
    }
    const label = (await call('GET', `${base}/labels/nightly`)).data
    const { db } = service.deps
    await expectListed(
      () => call('PATCH', path, { version_component_1_major: 7 }),
      ({ version }) => version.startsWith('7.'),
    )
    await expectListed(
      () => call('PATCH', path, { notes: 'Fixes' }),
      ({ notes }) => notes === 'Fixes',
    )
    await expectListed(
      () => call('PUT', `${path}/architectures`, { architectures: ['x64'] }),
      ({ architectures }) => architectures.length === 1,
    )
    await expectListed(
      () => call('PUT', `${path}/stream`, { stream: 'stable' }),
      ({ stream }) => stream.name === 'stable',
    )
    await expectListed(
      () => call('PATCH', `${base}/streams/stable`, { name: 'Stable' }),
      ({ stream }) => stream.name === 'Stable',
    )
    await expectListed(
      () => call('PATCH', `${base}/labels/${label.id}`, { name: 'Nightly build' }),
      ({ labels }) => labels[0]?.name === 'Nightly build',
    )
    await expectListed(
      () => call('POST', `${base}/labels/${label.id}/promote`),
      ({ labels }) => labels.length === 1,
    )
    await expectListed(
      () => call('PATCH', `/workspace/labels/${label.id}`, { name: 'Shared' }),
      ({ labels }) => labels[0]?.name === 'Shared',
    )
    await expectListed(
      () => call('DELETE', `/workspace/labels/${label.id}`),
      ({ labels }) => labels.length === 0,
    )
    await expectListed(
      () => call('PUT', `${path}/labels`, { labels: ['a', 'b'] }),
      ({ labels }) => labels.length === 2,
    )
    await expectListed(
      () => call('PUT', `${path}/labels`, { labels: ['a'] }),
      ({ labels }) => labels.length === 1,
    )
    await expectListed(
      () => call('DELETE', `${base}/streams/Stable?move_to=nightlies`),
      ({ stream }) => stream.name === 'nightlies',
    )
    const checksum = 'ab'.repeat(32)
    await expectListed(
      () =>
        db.updateTable('files').set({ checksum_sha256: checksum }).where('build_id', '=', build.id).execute(),
      ({ primary_file }) => primary_file.checksum_sha256 === checksum,
    )
    await expectListed(
      () => db.updateTable('builds').set({ processing: 'done' }).where('id', '=', build.id).execute(),
      () => true,
    )
    const target = await call('POST', `${base}/custom-targets`, { name: 'Deck', platform: 'linux' })
    await expectListed(
      () => call('PATCH', path, { custom_target: 'Deck' }),
      (changed) => JSON.stringify(changed).includes('"Deck"'),
    )
    await expectListed(
      () => call('PATCH', `${base}/custom-targets/${target.data.id}`, { name: 'Deck 2' }),
      (changed) => JSON.stringify(changed).includes('"Deck 2"'),
    )
  })

  test('lists a deleted build as deleted and a restored one again', async () => {
    const build = await upload()
    const { cursor } = await read()
    const path = `${base}/builds/${build.id}`
    const deleted = await changedBy(() => call('DELETE', path), cursor)
    assert.deepEqual(
      deleted.changes.map(({ id, deleted: isDeleted, build: data }) => [id, isDeleted, data]),
      [[build.id, true, null]],
    )
    const restored = await changedBy(() => call('POST', `${path}/restore`), deleted.cursor)
    assert.deepEqual(
      restored.changes.map(({ id, deleted: isDeleted, build: data }) => [id, isDeleted, data?.id]),
      [[build.id, false, build.id]],
    )
    await call('DELETE', path)
    const { db } = service.deps
    await db
      .updateTable('builds')
      .set({ deleted_at: sql`now() - interval '8 days'` })
      .where('id', '=', build.id)
      .execute()
    await purgeOverdueBuilds(service.deps)
    assert.equal((await call('GET', `${base}/builds`)).pagination.total, 0)
    assert.deepEqual(
      (await read(cursor)).changes.map(({ id, deleted: isDeleted }) => [id, isDeleted]),
      [[build.id, true]],
    )
    assert.deepEqual((await read()).changes, [])
  })

  test('lists a release when it, its labels or its builds change', async () => {
    const builds = [await upload(), await upload()]
    let { cursor } = await read()
    const next = async (change: () => Promise<unknown>) => {
      const result = await changedBy(change, cursor)
      cursor = result.cursor
      return result.changes.filter(({ type }) => type === 'release')
    }
    const body = { ...versionOf(1), title: 'Spring', labels: ['gold'], build_ids: builds.map(({ id }) => id) }
    const [created] = await next(() => call('POST', `${base}/releases`, body))
    assert.deepEqual(created?.release?.build_ids.toSorted(), builds.map(({ id }) => id).toSorted())
    const path = `${base}/releases/${created?.id}`
    const [renamed] = await next(() => call('PATCH', path, { title: 'Summer' }))
    assert.equal(renamed?.release?.title, 'Summer')
    const [relabeled] = await next(() => call('PATCH', `${base}/labels/gold`, { name: 'silver' }))
    assert.deepEqual(
      relabeled?.release?.labels.map(({ name }) => name),
      ['silver'],
    )
    const [unlabeled] = await next(() => call('DELETE', `${base}/labels/silver`))
    assert.deepEqual(unlabeled?.release?.labels, [])
    const [reduced] = await next(() => call('DELETE', `${path}/builds/${builds[1]!.id}`))
    assert.deepEqual(reduced?.release?.build_ids, [builds[0]!.id])
    const [emptied] = await next(() => call('DELETE', `${base}/builds/${builds[0]!.id}?force=true`))
    assert.deepEqual(emptied?.release?.build_ids, [])
    const [deleted] = await next(() => call('DELETE', path))
    assert.deepEqual([deleted?.id, deleted?.deleted, deleted?.release], [created?.id, true, null])
  })

  test('resumes anywhere within a change of many builds', async () => {
    const builds: Build[] = []
    for (let count = 0; count < 5; count++) builds.push(await upload({ labels: ['many'] }))
    await call('POST', `${base}/releases`, { ...versionOf(1), title: 'Spring', labels: ['many'] })
    const { cursor } = await read()
    const changes = [
      () => call('PATCH', `${base}/labels/many`, { name: 'Many' }),
      () => call('PATCH', `${base}/streams/default`, { description: 'x' }),
      () => call('DELETE', `${base}/labels/many`),
    ]
    for (const change of changes) {
      await change()
      const found = await read(cursor, 2)
      const all = found.changes.filter(({ type }) => type === 'build').map(({ id }) => id)
      assert.deepEqual(new Set(all), new Set(builds.map(({ id }) => id)), change.toString())
      assert.deepEqual((await read(found.cursor)).changes, [])
    }
  })

  test('starts with everything that exists and continues without a gap', async () => {
    const existing: string[] = []
    for (let count = 0; count < 4; count++) existing.push((await upload()).id)
    const first = await get('limit=1')
    const created = (await upload()).id
    await call('DELETE', `${base}/builds/${first.body.data[0].id}`)
    const { changes } = await read(first.body.cursor, 1)
    const states = new Map([...first.body.data, ...changes].map(({ id, deleted }) => [id, deleted]))
    assert.deepEqual(states, new Map([...existing, created].map((id) => [id, id === first.body.data[0].id])))
  })

  test('waits for transactions that began earlier, so that no change appears behind a reader', async () => {
    const [first, second] = [await upload(), await upload()]
    const { cursor } = await read()
    const { db } = service.deps
    const slow = await db.startTransaction().execute()
    await slow.updateTable('builds').set({ notes: 'slow' }).where('id', '=', first.id).execute()
    await call('PATCH', `${base}/builds/${second.id}`, { notes: 'fast' })
    const early = await readOnce(cursor)
    assert.deepEqual(early.changes, [])
    await slow.commit().execute()
    const late = await read(early.cursor)
    assert.deepEqual(
      late.changes.map(({ build }) => build?.notes),
      ['slow', 'fast'],
    )
  })

  test('returns 410 for a cursor before a deletion that is no longer known', async () => {
    const [build, other] = [await upload(), await upload()]
    const beforeDeletion = await read()
    await call('DELETE', `${base}/builds/${build.id}`)
    const afterDeletion = await read(beforeDeletion.cursor)
    const { db } = service.deps
    await db
      .updateTable('changes')
      .set({ changed_at: sql`now() - interval '31 days'` })
      .execute()
    await deleteSomeOldChanges(db, 30, 1000)
    const expired = await get(`cursor=${beforeDeletion.cursor}`)
    assert.equal(expired.status, 410)
    assert.equal(expired.body.code, 'changes.cursor_expired')
    assert.match(expired.body.message, /Start over without a cursor/)
    assert.deepEqual((await read(afterDeletion.cursor)).changes, [])
    assert.deepEqual(
      (await read()).changes.map(({ id }) => id),
      [other.id],
    )
  })

  test('continues after the database is loaded from a dump, whose transaction ids start over', async () => {
    const build = await upload()
    const { db } = service.deps
    await sql`update changes set position = position + 1000000000`.execute(db)
    await raisePositionsAfterRestore(db)
    const { changes, cursor } = await read()
    assert.deepEqual(
      changes.map(({ id }) => id),
      [build.id],
    )
    const { ids } = await changedBy(() => call('PATCH', `${base}/builds/${build.id}`, { notes: 'x' }), cursor)
    assert.deepEqual(ids, [build.id])
  })

  test('returns 410 for a cursor from the future of a restored database', async () => {
    await upload()
    const { cursor } = await read()
    const values = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    values[4] = Number(values[4]) + 10_000_000
    const future = Buffer.from(JSON.stringify(values)).toString('base64url')
    const { status, body } = await get(`cursor=${future}`)
    assert.deepEqual([status, body.code], [410, 'changes.cursor_unknown'])
  })

  test('rejects a cursor that it did not issue, or of another application', async () => {
    const { cursor } = await read()
    const other = await service.tenant()
    const path = `/applications/${other.applicationId}/changes?cursor=${cursor}`
    assert.equal((await service.call('GET', path, { key: other.workspaceKey })).status, 422)
    for (const text of ['x', 'bnVsbA', Buffer.from('["changes.1"]').toString('base64url'), '%00'])
      assert.equal((await get(`cursor=${text}`)).status, 422, text)
  })

  test('lists releases only for keys that can read them', async () => {
    await upload()
    await call('POST', `${base}/releases`, { ...versionOf(1), title: 'Spring' })
    const key = await service.key(tenant.workspaceId, tenant.applicationId, ['builds:read'])
    const limited = await get('limit=10', key)
    assert.deepEqual(
      limited.body.data.map(({ type }: Change) => type),
      ['build'],
    )
    const full = await get('limit=10')
    assert.deepEqual(full.body.data.map(({ type }: Change) => type).toSorted(), ['build', 'release'])
    assert.equal((await get(`cursor=${full.body.cursor}`, key)).status, 403)
  })
})
