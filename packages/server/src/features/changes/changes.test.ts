import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { purgeBuild } from '../../../test/aging.ts'
import { createFeed, type Build, type Change } from '../../../test/feed.ts'
import { untilChangesAreSettled } from '../../../test/settled-changes.ts'
import { versionOf } from '../../../test/uploading.ts'

describe('changes feed', () => {
  const feed = createFeed()
  const { call, read, readOnce, upload, changedBy } = feed

  test('lists every build that 30 clients create concurrently while the feed is read', async () => {
    const seen = new Map<string, Change>()
    let cursor: string | undefined
    const follow = async () => {
      const { changes, cursor: next } = await readOnce(cursor)
      for (const change of changes) seen.set(change.id, change)
      cursor = next
    }
    const expected = new Map<string, string>()
    const clients = { running: 30 }
    const client = async () => {
      for (let turn = 0; turn < 2; turn++) {
        const build = await upload({ labels: [`label-${turn}`] })
        expected.set(build.id, build.primary_file.checksum_sha256 ?? '')
      }
      clients.running--
    }
    const finished = Promise.all(Array.from({ length: 30 }, client))
    while (clients.running > 0) await follow()
    await finished
    await untilChangesAreSettled(feed.service())
    await follow()
    const found = [...seen.values()].map(({ id, build }) => [id, build?.primary_file.checksum_sha256])
    assert.deepEqual(new Map(found as [string, string][]), expected)
    assert.deepEqual((await read(cursor)).changes, [])
  })

  test('lists a build again when any of its fields changes', async () => {
    const build = await upload({ labels: ['nightly'] })
    const path = `${feed.base()}/builds/${build.id}`
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
    const label = (await call('GET', `${feed.base()}/labels/nightly`)).data
    const { db } = feed.service().deps
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
      () => call('PATCH', `${feed.base()}/streams/stable`, { name: 'Stable' }),
      ({ stream }) => stream.name === 'Stable',
    )
    await expectListed(
      () => call('PATCH', `${feed.base()}/labels/${label.id}`, { name: 'Nightly build' }),
      ({ labels }) => labels[0]?.name === 'Nightly build',
    )
    await expectListed(
      () => call('POST', `${feed.base()}/labels/${label.id}/promote`),
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
      () => call('DELETE', `${feed.base()}/streams/Stable?move_to=nightlies`),
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
    const target = await call('POST', `${feed.base()}/custom-targets`, { name: 'Deck', platform: 'linux' })
    await expectListed(
      () => call('PATCH', path, { custom_target: 'Deck' }),
      (changed) => JSON.stringify(changed).includes('"Deck"'),
    )
    await expectListed(
      () => call('PATCH', `${feed.base()}/custom-targets/${target.data.id}`, { name: 'Deck 2' }),
      (changed) => JSON.stringify(changed).includes('"Deck 2"'),
    )
  })

  test('marks a deleted build as deleted and lists it again after it is restored', async () => {
    const build = await upload()
    const { cursor } = await read()
    const path = `${feed.base()}/builds/${build.id}`
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
    await purgeBuild(feed.service(), build.id)
    assert.equal((await call('GET', `${feed.base()}/builds`)).pagination.total, 0)
    assert.deepEqual(
      (await read(cursor)).changes.map(({ id, deleted: isDeleted }) => [id, isDeleted]),
      [[build.id, true]],
    )
    assert.deepEqual((await read()).changes, [])
  })

  test('lists a release again when the release, its labels or its builds change', async () => {
    const builds = [await upload(), await upload()]
    let { cursor } = await read()
    const next = async (change: () => Promise<unknown>) => {
      const result = await changedBy(change, cursor)
      cursor = result.cursor
      return result.changes.filter(({ type }) => type === 'release')
    }
    const body = { ...versionOf(1), title: 'Spring', labels: ['gold'], build_ids: builds.map(({ id }) => id) }
    const [created] = await next(() => call('POST', `${feed.base()}/releases`, body))
    assert.deepEqual(created?.release?.build_ids.toSorted(), builds.map(({ id }) => id).toSorted())
    const path = `${feed.base()}/releases/${created?.id}`
    const [renamed] = await next(() => call('PATCH', path, { title: 'Summer' }))
    assert.equal(renamed?.release?.title, 'Summer')
    const [relabeled] = await next(() => call('PATCH', `${feed.base()}/labels/gold`, { name: 'silver' }))
    assert.deepEqual(
      relabeled?.release?.labels.map(({ name }) => name),
      ['silver'],
    )
    const [unlabeled] = await next(() => call('DELETE', `${feed.base()}/labels/silver`))
    assert.deepEqual(unlabeled?.release?.labels, [])
    const [reduced] = await next(() => call('DELETE', `${path}/builds/${builds[1]!.id}`))
    assert.deepEqual(reduced?.release?.build_ids, [builds[0]!.id])
    const [emptied] = await next(() => call('DELETE', `${feed.base()}/builds/${builds[0]!.id}?force=true`))
    assert.deepEqual(emptied?.release?.build_ids, [])
    const [deleted] = await next(() => call('DELETE', path))
    assert.deepEqual([deleted?.id, deleted?.deleted, deleted?.release], [created?.id, true, null])
  })
})
