import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditEntry } from '../../../test/audit.ts'
import { copyBuild } from '../../../test/copy-builds.ts'
import { startService, type Service } from '../../../test/harness.ts'
import { createPlace, type Place } from '../../../test/world.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { Problem } from '../../lib/problem.ts'
import { removeDeletedObjects } from '../../storage/remove-deleted.job.ts'
import { purgeOverdueBuilds } from '../builds/purge-builds.job.ts'
import { purgeOverdueApplications } from './purge-applications.job.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

async function purge(): Promise<void> {
  await purgeOverdueBuilds(service.deps)
  await purgeOverdueApplications(service.deps)
}

const trash = (place: Place, deleted_at: string) =>
  service.deps.db
    .updateTable('applications')
    .set({ deleted_at })
    .where('id', '=', place.applicationId)
    .execute()

const ago = (days: number) => new Date(Date.now() - days * 24 * 3_600_000).toISOString()

const restore = ({ applicationId, workspaceKey: key }: Place) =>
  service.call('POST', `/applications/${applicationId}/restore`, { key })

/** Tables that still know the application, the audit log apart. */
async function tablesWith(applicationId: string): Promise<string[]> {
  const { db } = service.deps
  const tables = await db.introspection.getTables()
  const found: string[] = []
  for (const { name, columns } of tables) {
    if (name === 'audit_entries' || !columns.some((column) => column.name === 'application_id')) continue
    const rows = await db
      .selectFrom(name as 'builds')
      .select('application_id')
      .where('application_id', '=', applicationId)
      .limit(1)
      .execute()
    if (rows.length > 0) found.push(name)
  }
  return found
}

test('an application with one of everything, its days over, nothing of it is left and the other is whole', async () => {
  const [gone, kept] = [await createPlace(service), await createPlace(service)]
  const { db } = service.deps
  const before = await tablesWith(kept.applicationId)
  await trash(gone, ago(7.01))
  await trash(kept, ago(6.99))
  const overdue = await restore(gone)
  assert.deepEqual([overdue.status, overdue.body.code], [410, 'application.expired'])
  await purge()
  assert.deepEqual(await tablesWith(gone.applicationId), [])
  assert.equal((await restore(gone)).status, 404)
  assert.equal((await restore(kept)).status, 200)
  assert.deepEqual(await tablesWith(kept.applicationId), before)
  const entry = await auditEntry(service, gone.applicationId)
  assert.deepEqual([entry.action, entry.actor_kind], ['application.purged', 'system'])
  const left = await db.selectFrom('stored_objects').select('key').where('deleted_at', 'is', null).execute()
  const used = await db.selectFrom('files').select('object_key as key').execute()
  const artifacts = await db.selectFrom('metadata_artifacts').select('object_key as key').execute()
  assert.deepEqual(
    left.map(({ key }) => key).toSorted(),
    [...used.map(({ key }) => key), ...artifacts.map(({ key }) => key), kept.ids['icon_id']!].toSorted(),
  )
  await db
    .updateTable('stored_objects')
    .set({ deleted_at: ago(8) })
    .where('deleted_at', 'is not', null)
    .execute()
  await removeDeletedObjects(service.deps)
  assert.equal((await db.selectFrom('stored_objects').select('key').execute()).length, left.length)
})

test('an application with thousands of builds and events, cut off in between, the next runs finish it', async () => {
  const place = await createPlace(service)
  const { db } = service.deps
  await copyBuild(service, place.ids['build_id']!, 1_200)
  const owner = { workspace_id: place.workspaceId, application_id: place.applicationId }
  const events = Array.from({ length: 2_500 }, () => ({ id: uuidV7(), ...owner, name: 'x', data: '{}' }))
  await db.insertInto('events').values(events).execute()
  await trash(place, ago(8))
  await purgeOverdueApplications(service.deps)
  assert.ok((await tablesWith(place.applicationId)).includes('releases'), 'it waits for its builds')
  const cut = cutAfter(5)
  await assert.rejects(purgeOverdueBuilds({ ...service.deps, db: cut }), /cut/)
  const { left } = await db
    .selectFrom('builds')
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .where('application_id', '=', place.applicationId)
    .executeTakeFirstOrThrow()
  assert.ok(left > 0 && left < 1_201, String(left))
  await Promise.all([purge(), purge()])
  await purge()
  assert.deepEqual(await tablesWith(place.applicationId), [])
  const entries = await db
    .selectFrom('audit_entries')
    .select('id')
    .where('application_id', '=', place.applicationId)
    .where('action', 'in', ['build.purged', 'application.purged'])
    .execute()
  assert.equal(entries.length, 1_202)
})

/** The database until so many transactions have begun, then as if it had gone away. */
function cutAfter(most: number): Service['deps']['db'] {
  let begun = 0
  return new Proxy(service.deps.db, {
    get(target, name) {
      if (name === 'startTransaction' && ++begun > most) {
        throw new Problem('unavailable', 'database.unavailable', 'cut')
      }
      const value = Reflect.get(target, name) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

test('a purge and a restore at once, the application is whole or gone', async () => {
  for (let round = 0; round < 5; round++) {
    const place = await createPlace(service)
    const before = await tablesWith(place.applicationId)
    await trash(place, ago(7 - 0.03 / 86_400))
    const [answer] = await Promise.all([
      restore(place),
      (async () => {
        for (let turn = 0; turn < 3; turn++) await purge()
      })(),
    ])
    await purge()
    assert.ok([200, 404, 410].includes(answer.status), answer.text)
    assert.deepEqual(await tablesWith(place.applicationId), answer.status === 200 ? before : [])
  }
})

test('a build verified into an application that goes, it goes with it and its bytes are marked', async () => {
  const place = await createPlace(service)
  const { db } = service.deps
  await trash(place, ago(8))
  await purgeOverdueBuilds(service.deps)
  const open = await db.startTransaction().execute()
  const key = uuidV7()
  const stream = await db
    .selectFrom('streams')
    .select('id')
    .where('application_id', '=', place.applicationId)
    .executeTakeFirstOrThrow()
  await open.insertInto('stored_objects').values({ key, size_bytes: 1, segments: '[]' }).execute()
  const id = `late${place.applicationId.slice(0, 6)}`
  await open
    .insertInto('builds')
    .values({
      id,
      workspace_id: place.workspaceId,
      application_id: place.applicationId,
      build_structure: 'file',
      version_major: 1,
      version_minor: 0,
      version_patch: 0,
      version_sort: '1',
      platform: 'linux',
      stream_id: stream.id,
      size_total_bytes: 1,
      build_source: 'cli-upload',
    })
    .execute()
  await open
    .insertInto('files')
    .values({
      id: uuidV7(),
      build_id: id,
      role: 'primary',
      filename: 'a.zip',
      size_bytes: 1,
      filetype: 'zip',
      object_key: key,
    })
    .execute()
  await purgeOverdueApplications(service.deps)
  await open.commit().execute()
  assert.deepEqual(await tablesWith(place.applicationId).then((all) => all.includes('builds')), true)
  await purge()
  assert.deepEqual(await tablesWith(place.applicationId), [])
  const object = await db
    .selectFrom('stored_objects')
    .select('deleted_at')
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  assert.notEqual(object.deleted_at, null)
})
