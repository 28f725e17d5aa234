import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditEntry } from '../../../../test/audit.ts'
import { startService, type Service } from '../../../../test/harness.ts'
import { createFixture } from '../../../../test/world.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

test('deletes a metadata artifact, marks its object for deletion and reduces metadata_total_bytes', async () => {
  const { applicationId, applicationKey: key, ids } = await createFixture(service)
  const build = `/applications/${applicationId}/builds/${ids['build_id']}`
  const path = `${build}/metadata/${ids['artifact_id']}`
  const { object_key } = await service.deps.db
    .selectFrom('metadata_artifacts')
    .select('object_key')
    .where('id', '=', ids['artifact_id']!)
    .executeTakeFirstOrThrow()
  assert.equal((await service.call('GET', build, { key })).body.data.metadata_total_bytes, 64)
  const responses = await Promise.all([1, 2, 3].map(() => service.call('DELETE', path, { key })))
  assert.deepEqual(
    responses.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 404, 404],
  )
  assert.equal((await service.call('GET', path, { key })).status, 404)
  const { body } = await service.call('GET', build, { key })
  assert.deepEqual([body.data.metadata_artifacts, body.data.metadata_total_bytes], [[], 0])
  const object = await service.deps.db
    .selectFrom('stored_objects')
    .select('deleted_at')
    .where('key', '=', object_key)
    .executeTakeFirstOrThrow()
  assert.notEqual(object.deleted_at, null)
  assert.equal((await auditEntry(service, ids['artifact_id']!)).action, 'metadata_artifact.deleted')
})
