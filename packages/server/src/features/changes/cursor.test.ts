import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { createFeed, type Build, type Change } from '../../../test/feed.ts'
import { versionOf } from '../../../test/uploading.ts'
import { raisePositionsAfterRestore } from '../../database/commit-order.db.ts'
import { deleteSomeOldChanges } from './change.db.ts'

describe('cursors of the changes feed', () => {
  const feed = createFeed()
  const { call, get, read, readOnce, upload, changedBy } = feed

  test('resumes after any page when one change affects many builds', async () => {
    const builds: Build[] = []
    for (let count = 0; count < 5; count++) builds.push(await upload({ labels: ['many'] }))
    await call('POST', `${feed.base()}/releases`, { ...versionOf(1), title: 'Spring', labels: ['many'] })
    const { cursor } = await read()
    const changes = [
      () => call('PATCH', `${feed.base()}/labels/many`, { name: 'Many' }),
      () => call('PATCH', `${feed.base()}/streams/default`, { description: 'x' }),
      () => call('DELETE', `${feed.base()}/labels/many`),
    ]
    for (const change of changes) {
      await change()
      const found = await read(cursor, 2)
      const all = found.changes.filter(({ type }) => type === 'build').map(({ id }) => id)
      assert.deepEqual(new Set(all), new Set(builds.map(({ id }) => id)), change.toString())
      assert.deepEqual((await read(found.cursor)).changes, [])
    }
  })

  test('skips changes of other resources than builds and releases, at any page size', async () => {
    const { cursor } = await read()
    const labels = ['gold', 'silver', 'bronze']
    const body = { ...versionOf(1), title: 'Spring', labels }
    const release = await call('POST', `${feed.base()}/releases`, body)
    for (const limit of [1, 2, 100])
      assert.deepEqual(
        (await read(cursor, limit)).changes.map(({ id }) => id),
        [release.data.id],
      )
  })

  test('starts with all existing builds and continues without gaps', async () => {
    const existing: string[] = []
    for (let count = 0; count < 4; count++) existing.push((await upload()).id)
    const first = await get('limit=1')
    const created = (await upload()).id
    await call('DELETE', `${feed.base()}/builds/${first.body.data[0].id}`)
    const { changes } = await read(first.body.cursor, 1)
    const states = new Map([...first.body.data, ...changes].map(({ id, deleted }) => [id, deleted]))
    assert.deepEqual(states, new Map([...existing, created].map((id) => [id, id === first.body.data[0].id])))
  })

  test('waits until all transactions that began before a change have ended', async () => {
    const [changed, other] = [await upload(), await upload()]
    const { cursor } = await read()
    const { db } = feed.service().deps
    const slow = await db.startTransaction().execute()
    await slow.updateTable('builds').set({ notes: 'slow' }).where('id', '=', changed.id).execute()
    await call('PATCH', `${feed.base()}/builds/${other.id}`, { notes: 'fast' })
    const waiting = readOnce(cursor)
    const first = await Promise.race([waiting, pause(500, 'still waiting')])
    await slow.commit().execute()
    assert.equal(first, 'still waiting')
    const notes = (await waiting).changes.map(({ build }) => build?.notes)
    assert.deepEqual(notes, ['slow', 'fast'])
  })

  test('lists nothing after a transaction that stays open, and everything once it has ended', async () => {
    const [changed, other] = [await upload(), await upload()]
    const { cursor } = await read()
    const { db } = feed.service().deps
    const slow = await db.startTransaction().execute()
    await slow.updateTable('builds').set({ notes: 'slow' }).where('id', '=', changed.id).execute()
    await call('PATCH', `${feed.base()}/builds/${other.id}`, { notes: 'fast' })
    const early = await readOnce(cursor)
    await slow.commit().execute()
    assert.deepEqual(early.changes, [])
    const late = await read(early.cursor)
    const notes = late.changes.map(({ build }) => build?.notes)
    assert.deepEqual(notes, ['slow', 'fast'])
  })

  test('returns 410 for a cursor that precedes a deletion the feed no longer contains', async () => {
    const [build, other] = [await upload(), await upload()]
    const beforeDeletion = await read()
    await call('DELETE', `${feed.base()}/builds/${build.id}`)
    const afterDeletion = await read(beforeDeletion.cursor)
    const { db } = feed.service().deps
    await db
      .updateTable('changes')
      .set({ changed_at: sql`now() - interval '31 days'` })
      // Other files of the group share the database, and use cursors that they got before.
      .where('owner_id', 'in', [feed.tenant().applicationId, feed.tenant().workspaceId])
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

  test('continues after a restore from a dump resets the transaction IDs', async () => {
    const build = await upload()
    const { db } = feed.service().deps
    await sql`update changes set position = position + 1000000000`.execute(db)
    await raisePositionsAfterRestore(db)
    const { changes, cursor } = await read()
    assert.deepEqual(
      changes.map(({ id }) => id),
      [build.id],
    )
    const { ids } = await changedBy(
      () => call('PATCH', `${feed.base()}/builds/${build.id}`, { notes: 'x' }),
      cursor,
    )
    assert.deepEqual(ids, [build.id])
  })

  test('returns 410 for a cursor that is newer than a restored database', async () => {
    await upload()
    const { cursor } = await read()
    const values = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    values[4] = Number(values[4]) + 10_000_000
    const future = Buffer.from(JSON.stringify(values)).toString('base64url')
    const { status, body } = await get(`cursor=${future}`)
    assert.deepEqual([status, body.code], [410, 'changes.cursor_unknown'])
  })

  test('rejects a cursor that the feed did not issue or that belongs to another application', async () => {
    const { cursor } = await read()
    const other = await feed.service().tenant()
    const path = `/applications/${other.applicationId}/changes?cursor=${cursor}`
    assert.equal((await feed.service().call('GET', path, { key: other.workspaceKey })).status, 422)
    for (const text of ['x', 'bnVsbA', Buffer.from('["changes.1"]').toString('base64url'), '%00'])
      assert.equal((await get(`cursor=${text}`)).status, 422, text)
  })

  test('lists releases only for keys with the `releases:read` scope', async () => {
    await upload()
    await call('POST', `${feed.base()}/releases`, { ...versionOf(1), title: 'Spring' })
    const key = await feed
      .service()
      .key(feed.tenant().workspaceId, feed.tenant().applicationId, ['builds:read'])
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
