import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditEntry } from '../../../test/audit.ts'
import { copyBuild } from '../../../test/copy-builds.ts'
import { startOwnService, type Service } from '../../../test/harness.ts'
import { createFixture, type Fixture } from '../../../test/world.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { Problem } from '../../lib/problem.ts'
import { deleteMarkedObjects } from '../../storage/objects/delete-marked-objects.job.ts'
import { purgeOverdueBuilds } from '../builds/purge-builds.job.ts'
import { purgeOverdueApplications } from './purge-applications.job.ts'

let service: Service

before(async () => {
  service = await startOwnService()
})
after(() => service.close())

async function purge(): Promise<void> {
  await purgeOverdueBuilds(service.deps)
  await purgeOverdueApplications(service.deps)
}

const trash = (fixture: Fixture, deleted_at: string) =>
  service.deps.db
    .updateTable('applications')
    .set({ deleted_at })
    .where('id', '=', fixture.applicationId)
    .execute()

const ago = (days: number) => new Date(Date.now() - days * 24 * 3_600_000).toISOString()

const restore = ({ applicationId, workspaceKey: key }: Fixture) =>
  service.call('POST', `/applications/${applicationId}/restore`, { key })

/** Returns the tables, except the audit log, that contain rows belonging to the application. */
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

test('purges an application and its data only after seven days in the trash', async () => {
  const [gone, kept] = [await createFixture(service), await createFixture(service)]
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
  const used = await db
    .selectFrom('files')
    .select('object_key as key')
    .unionAll(db.selectFrom('metadata_artifacts').select('object_key as key'))
    .unionAll(db.selectFrom('chunk_indexes').select('object_key as key'))
    .unionAll(db.selectFrom('file_patches').select('object_key as key').$narrowType<{ key: string }>())
    .unionAll(db.selectFrom('feedback_screenshots').select('object_key as key'))
    .execute()
  assert.deepEqual(
    left.map(({ key }) => key).toSorted(),
    [...used.map(({ key }) => key), kept.ids['icon_id']!].toSorted(),
  )
  await db
    .updateTable('stored_objects')
    .set({ deleted_at: ago(8) })
    .where('deleted_at', 'is not', null)
    .execute()
  await deleteMarkedObjects(service.deps)
  assert.equal((await db.selectFrom('stored_objects').select('key').execute()).length, left.length)
})

test('completes a purge of thousands of builds and events in later runs after an interruption', async () => {
  const fixture = await createFixture(service)
  const { db } = service.deps
  await copyBuild(service, fixture.ids['build_id']!, 1_200)
  const columns = { workspace_id: fixture.workspaceId, application_id: fixture.applicationId }
  const events = Array.from({ length: 2_500 }, () => ({ id: uuidV7(), ...columns, name: 'x', data: '{}' }))
  await db.insertInto('events').values(events).execute()
  await trash(fixture, ago(8))
  await purgeOverdueApplications(service.deps)
  assert.ok(
    (await tablesWith(fixture.applicationId)).includes('releases'),
    'must wait for its builds to be purged',
  )
  const failing = failAfter(5)
  await assert.rejects(purgeOverdueBuilds({ ...service.deps, db: failing }), /interrupted/)
  const { left } = await db
    .selectFrom('builds')
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .where('application_id', '=', fixture.applicationId)
    .executeTakeFirstOrThrow()
  assert.ok(left > 0 && left < 1_201, String(left))
  await Promise.all([purge(), purge()])
  await purge()
  assert.deepEqual(await tablesWith(fixture.applicationId), [])
  const entries = await db
    .selectFrom('audit_entries')
    .select('id')
    .where('application_id', '=', fixture.applicationId)
    .where('action', 'in', ['build.purged', 'application.purged'])
    .execute()
  assert.equal(entries.length, 1_202)
})

/** Returns a database that becomes unavailable after `maxTransactions` transactions. */
function failAfter(maxTransactions: number): Service['deps']['db'] {
  let started = 0
  return new Proxy(service.deps.db, {
    get(target, name) {
      if (name === 'startTransaction' && ++started > maxTransactions) {
        throw new Problem('unavailable', 'database.unavailable', 'interrupted')
      }
      const value = Reflect.get(target, name) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

test('either fully restores or fully purges an application when the two operations run concurrently', async () => {
  for (let round = 0; round < 5; round++) {
    const fixture = await createFixture(service)
    const before = await tablesWith(fixture.applicationId)
    await trash(fixture, ago(7 - 0.03 / 86_400))
    const [response] = await Promise.all([
      restore(fixture),
      (async () => {
        for (let turn = 0; turn < 3; turn++) await purge()
      })(),
    ])
    await purge()
    assert.ok([200, 404, 410].includes(response.status), response.text)
    assert.deepEqual(await tablesWith(fixture.applicationId), response.status === 200 ? before : [])
  }
})

test('purges a build whose upload is verified while its application is being purged', async () => {
  const fixture = await createFixture(service)
  const { db } = service.deps
  await trash(fixture, ago(8))
  await purgeOverdueBuilds(service.deps)
  const open = await db.startTransaction().execute()
  const key = uuidV7()
  const stream = await db
    .selectFrom('streams')
    .select('id')
    .where('application_id', '=', fixture.applicationId)
    .executeTakeFirstOrThrow()
  await open.insertInto('stored_objects').values({ key, size_bytes: 1, segments: '[]' }).execute()
  const id = `late${fixture.applicationId.slice(0, 6)}`
  await open
    .insertInto('builds')
    .values({
      id,
      workspace_id: fixture.workspaceId,
      application_id: fixture.applicationId,
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
  assert.ok((await tablesWith(fixture.applicationId)).includes('builds'))
  await purge()
  assert.deepEqual(await tablesWith(fixture.applicationId), [])
  const object = await db
    .selectFrom('stored_objects')
    .select('deleted_at')
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  assert.notEqual(object.deleted_at, null)
})
