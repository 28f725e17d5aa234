import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditEntry } from '../../../test/audit.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { requested, uploadedBuild } from '../../../test/uploading.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const send = (method: string, path: string, body?: unknown, key = tenant.workspaceKey) =>
  service.call(method, path, { key, body })

test('changing an application, only the given fields change and null clears', async () => {
  const path = `/applications/${tenant.applicationId}`
  const described = await send('PATCH', path, { description: 'words' }, tenant.applicationKey)
  assert.equal(described.status, 200)
  const renamed = await send('PATCH', path, { name: ' New name ' })
  assert.deepEqual([renamed.body.data.name, renamed.body.data.description], ['New name', 'words'])
  assert.equal(renamed.body.data.build_count, 0)
  const entry = await auditEntry(service, tenant.applicationId)
  assert.equal(entry.action, 'application.updated')
  assert.equal((entry.before as { description: string }).description, 'words')
  assert.equal((entry.after as { name: string }).name, 'New name')
  assert.equal((await send('PATCH', path, { description: null })).body.data.description, null)
  assert.equal((await send('PATCH', path, { name: null })).status, 422)
  assert.equal((await send('PATCH', path, {})).status, 422)
})

test('a deleted application, gone everywhere and its keys refused until it is restored', async () => {
  const of = await service.tenant()
  const { build, pendingUploadId } = await uploadedBuild(service, of)
  const open = await requested(service, of)
  const path = `/applications/${of.applicationId}`
  const get = (at: string, key = of.workspaceKey) => service.call('GET', at, { key })
  assert.equal((await send('DELETE', path, undefined, of.applicationKey)).status, 403)
  const deleted = await send('DELETE', path, undefined, of.workspaceKey)
  assert.equal(deleted.status, 200)
  assert.equal((await auditEntry(service, of.applicationId)).action, 'application.deleted')

  assert.equal((await send('DELETE', path, undefined, of.workspaceKey)).status, 404)
  for (const at of [path, `${path}/builds`, `${path}/builds/${build.id}`, `${path}/streams`])
    assert.equal((await get(at)).status, 404, at)
  assert.deepEqual((await get('/applications')).body.data, [])
  assert.equal((await get(`/upload/${open.pending_upload_id}`)).status, 404)
  const verify = { pending_upload_id: pendingUploadId }
  assert.equal((await send('POST', '/upload/verify', verify, of.workspaceKey)).status, 404)
  const deadline = Date.now() + 2_000
  let refused = await get('/workspace', of.applicationKey)
  while (refused.status !== 401 && Date.now() < deadline) refused = await get('/workspace', of.applicationKey)
  assert.equal(refused.status, 401)

  const restored = await send('POST', `${path}/restore`, undefined, of.workspaceKey)
  assert.equal(restored.status, 200)
  assert.equal(restored.body.data.build_count, 1)
  assert.equal((await auditEntry(service, of.applicationId)).action, 'application.restored')
  assert.equal((await get(`${path}/builds/${build.id}`, of.applicationKey)).status, 200)
  const again = await send('POST', `${path}/restore`, undefined, of.workspaceKey)
  assert.deepEqual([again.status, again.body.code], [409, 'application.not_in_trash'])
})

test('deleting an application, ten at once, one does it and the others find none', async () => {
  const of = await service.tenant()
  const path = `/applications/${of.applicationId}`
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => send('DELETE', path, undefined, of.workspaceKey)),
  )
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
  assert.deepEqual(statuses, [200, ...Array.from({ length: 9 }, () => 404)])
})

test('restoring an application after its days in the trash, 410', async () => {
  const of = await service.tenant()
  await service.deps.db
    .updateTable('applications')
    .set({ deleted_at: new Date(Date.now() - 8 * 86_400_000) })
    .where('id', '=', of.applicationId)
    .execute()
  const answer = await send('POST', `/applications/${of.applicationId}/restore`, undefined, of.workspaceKey)
  assert.deepEqual([answer.status, answer.body.code], [410, 'application.expired'])
})

test('replacing platforms, those left out go and new ones come', async () => {
  const of = await service.tenant({ platforms: ['linux', 'ios'] })
  const path = `/applications/${of.applicationId}/platforms`
  const platforms = ['windows', 'linux', 'windows']
  const answer = await send('PUT', path, { platforms }, of.applicationKey)
  assert.equal(answer.status, 200)
  const slugs = answer.body.data.map(({ identifier }: { identifier: string }) => identifier)
  assert.deepEqual(slugs.toSorted(), ['linux', 'windows'])
  assert.deepEqual((await send('GET', path, undefined, of.applicationKey)).body.data, answer.body.data)
  const entry = await auditEntry(service, of.applicationId)
  assert.equal(entry.action, 'application.platforms_replaced')
  assert.deepEqual((entry.before as { platforms: string[] }).platforms.toSorted(), ['ios', 'linux'])
})

test('replacing platforms without one that has a build, even in the trash, 409 and nothing changes', async () => {
  const of = await service.tenant({ platforms: ['linux', 'ios'] })
  const { build } = await uploadedBuild(service, of)
  const path = `/applications/${of.applicationId}/platforms`
  const replace = () => send('PUT', path, { platforms: ['ios'] }, of.workspaceKey)
  const before = (await send('GET', path, undefined, of.workspaceKey)).body.data
  assert.deepEqual(
    [(await replace()).status, (await replace()).body.code],
    [409, 'application.platform_in_use'],
  )
  const db = service.deps.db
  await db.updateTable('builds').set({ deleted_at: new Date() }).where('id', '=', build.id).execute()
  assert.equal((await replace()).status, 409)
  assert.deepEqual((await send('GET', path, undefined, of.workspaceKey)).body.data, before)
})

test('replacing platforms without one that an upload is on its way to, 409 until that has ended', async () => {
  const of = await service.tenant({ platforms: ['linux', 'windows'] })
  const path = `/applications/${of.applicationId}/platforms`
  const replace = () => send('PUT', path, { platforms: ['windows'] }, of.workspaceKey)
  const { pending_upload_id } = await requested(service, of)
  const refused = await replace()
  assert.deepEqual([refused.status, refused.body.code], [409, 'application.platform_in_use'])
  assert.match(refused.body.message, /unfinished uploads for linux/)
  const abort = await send('POST', '/upload/abort', { pending_upload_id }, of.workspaceKey)
  assert.equal(abort.status, 200)
  assert.equal((await replace()).status, 200)
})

test('replacing platforms by none or by an unknown one, 422', async () => {
  const path = `/applications/${tenant.applicationId}/platforms`
  assert.equal((await send('PUT', path, { platforms: [] })).status, 422)
  const answer = await send('PUT', path, { platforms: ['linux', 'amiga'] })
  assert.equal(answer.status, 422)
  assert.ok('platforms.1' in answer.body.errors)
})
