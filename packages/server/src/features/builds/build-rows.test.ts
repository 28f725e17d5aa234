import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type Service } from '../../../test/harness.ts'
import { uploadedBuild } from '../../../test/uploading.ts'
import { selectDeletedBy } from '../../events/event.db.ts'
import { listBuildsIncludingTrashed, selectBuildsIncludingTrashed } from './build.db.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.close())

test('reads listed builds in the same format as single builds', async () => {
  const { db } = service.deps
  const tenant = await service.tenant()
  const path = `/applications/${tenant.applicationId}`
  const fields = { labels: ['signed'], built_at: '2026-11-01T10:20:30.5Z' }
  const listed = (await uploadedBuild(service, tenant, fields)).build.id
  const trashed = (await uploadedBuild(service, tenant)).build.id
  const streams = db.updateTable('streams').where('application_id', '=', tenant.applicationId)
  await streams.set({ retention_days: 30 }).execute()
  await service.call('DELETE', `${path}/builds/${trashed}`, { key: tenant.workspaceKey })

  const byColumn = await selectBuildsIncludingTrashed(db)
    .select(selectDeletedBy('build').as('deleted_by'))
    .where('builds.id', 'in', [listed, trashed])
    .execute()
  const asJson = await listBuildsIncludingTrashed(db, [trashed, listed, 'unknown'])
  const byId = (rows: typeof asJson) => new Map(rows.map((row) => [row.id, row]))
  assert.deepEqual(byId(asJson), byId(byColumn))

  const [first, second] = [byId(asJson).get(listed), byId(asJson).get(trashed)]
  const times = [first?.built_at, first?.expires_at, first?.stream_created_at, second?.deleted_at]
  for (const time of times) assert.match(time ?? 'null', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  assert.deepEqual(await listBuildsIncludingTrashed(db, []), [])
})
