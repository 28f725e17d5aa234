import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditEntry } from '../../../test/audit.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { until } from '../../../test/until.ts'
import { requestUpload, uploadedBuild } from '../../../test/uploading.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const send = (method: string, path: string, body?: unknown, key = tenant.workspaceKey) =>
  service.call(method, path, { key, body })

test('updates only the submitted fields of an application and accepts null to clear the description', async () => {
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

test('returns the platforms of an application to a key that can only upload builds', async () => {
  const own = await service.tenant({ platforms: ['windows', 'linux'] })
  const uploadOnlyKey = await service.key(own.workspaceId, own.applicationId, ['builds:create'])
  const path = `/applications/${own.applicationId}`
  const { status, body } = await send('GET', path, undefined, uploadOnlyKey)
  assert.equal(status, 200)
  const listed = await send('GET', `${path}/platforms`, undefined, own.workspaceKey)
  assert.deepEqual(body.data.platforms, listed.body.data)
  assert.equal(body.data.platforms.length, 2)
})

test('hides a deleted application and rejects its API keys until the application is restored', async () => {
  const own = await service.tenant()
  const { build, pendingUploadId } = await uploadedBuild(service, own)
  const open = await requestUpload(service, own)
  const path = `/applications/${own.applicationId}`
  const get = (url: string, key = own.workspaceKey) => service.call('GET', url, { key })
  assert.equal((await send('DELETE', path, undefined, own.applicationKey)).status, 403)
  const deleted = await send('DELETE', path, undefined, own.workspaceKey)
  assert.equal(deleted.status, 200)
  assert.equal((await auditEntry(service, own.applicationId)).action, 'application.deleted')

  assert.equal((await send('DELETE', path, undefined, own.workspaceKey)).status, 404)
  for (const url of [path, `${path}/builds`, `${path}/builds/${build.id}`, `${path}/streams`])
    assert.equal((await get(url)).status, 404, url)
  assert.deepEqual((await get('/applications')).body.data, [])
  assert.equal((await get(`/upload/${open.pending_upload_id}`)).status, 404)
  const verify = { pending_upload_id: pendingUploadId }
  assert.equal((await send('POST', '/upload/verify', verify, own.workspaceKey)).status, 404)
  const isRejected = async () => (await get('/workspace', own.applicationKey)).status === 401
  await until('the key is rejected', isRejected, { withinMs: 2_000 })

  const restored = await send('POST', `${path}/restore`, undefined, own.workspaceKey)
  assert.equal(restored.status, 200)
  assert.equal(restored.body.data.build_count, 1)
  assert.equal((await auditEntry(service, own.applicationId)).action, 'application.restored')
  // Lookups of the key failed while the application was in the trash, and a failed lookup is cached for half a second.
  const isAccepted = async () => (await get(`${path}/builds/${build.id}`, own.applicationKey)).status === 200
  await until('the key is accepted', isAccepted, { withinMs: 2_000 })
  const again = await send('POST', `${path}/restore`, undefined, own.workspaceKey)
  assert.deepEqual([again.status, again.body.code], [409, 'application.not_in_trash'])
})

test('lets only one of ten concurrent requests delete an application', async () => {
  const own = await service.tenant()
  const path = `/applications/${own.applicationId}`
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => send('DELETE', path, undefined, own.workspaceKey)),
  )
  const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b)
  assert.deepEqual(statuses, [200, ...Array.from({ length: 9 }, () => 404)])
})

test('returns 410 for a request to restore an application after more than seven days in the trash', async () => {
  const own = await service.tenant()
  await service.deps.db
    .updateTable('applications')
    .set({ deleted_at: new Date(Date.now() - 8 * 86_400_000) })
    .where('id', '=', own.applicationId)
    .execute()
  const path = `/applications/${own.applicationId}/restore`
  const response = await send('POST', path, undefined, own.workspaceKey)
  assert.deepEqual([response.status, response.body.code], [410, 'application.expired'])
})

test('adds new platforms and removes omitted platforms when the platform list is replaced', async () => {
  const own = await service.tenant({ platforms: ['linux', 'ios'] })
  const path = `/applications/${own.applicationId}/platforms`
  const platforms = ['windows', 'linux', 'windows']
  const response = await send('PUT', path, { platforms }, own.applicationKey)
  assert.equal(response.status, 200)
  const slugs = response.body.data.map(({ identifier }: { identifier: string }) => identifier)
  assert.deepEqual(slugs.toSorted(), ['linux', 'windows'])
  assert.deepEqual((await send('GET', path, undefined, own.applicationKey)).body.data, response.body.data)
  const entry = await auditEntry(service, own.applicationId)
  assert.equal(entry.action, 'application.platforms_replaced')
  assert.deepEqual((entry.before as { platforms: string[] }).platforms.toSorted(), ['ios', 'linux'])
})

test('refuses to remove a platform that has a build, even if the build is in the trash', async () => {
  const own = await service.tenant({ platforms: ['linux', 'ios'] })
  const { build } = await uploadedBuild(service, own)
  const path = `/applications/${own.applicationId}/platforms`
  const replace = () => send('PUT', path, { platforms: ['ios'] }, own.workspaceKey)
  const before = (await send('GET', path, undefined, own.workspaceKey)).body.data
  assert.deepEqual(
    [(await replace()).status, (await replace()).body.code],
    [409, 'application.platform_in_use'],
  )
  const db = service.deps.db
  await db.updateTable('builds').set({ deleted_at: new Date() }).where('id', '=', build.id).execute()
  assert.equal((await replace()).status, 409)
  assert.deepEqual((await send('GET', path, undefined, own.workspaceKey)).body.data, before)
})

test('refuses to remove a platform that has an unfinished upload', async () => {
  const own = await service.tenant({ platforms: ['linux', 'windows'] })
  const path = `/applications/${own.applicationId}/platforms`
  const replace = () => send('PUT', path, { platforms: ['windows'] }, own.workspaceKey)
  const { pending_upload_id } = await requestUpload(service, own)
  const rejected = await replace()
  assert.deepEqual([rejected.status, rejected.body.code], [409, 'application.platform_in_use'])
  assert.match(rejected.body.message, /unfinished uploads for linux/)
  const abort = await send('POST', '/upload/abort', { pending_upload_id }, own.workspaceKey)
  assert.equal(abort.status, 200)
  assert.equal((await replace()).status, 200)
})

test('rejects a platform list that is empty or contains an unknown platform', async () => {
  const path = `/applications/${tenant.applicationId}/platforms`
  assert.equal((await send('PUT', path, { platforms: [] })).status, 422)
  const response = await send('PUT', path, { platforms: ['linux', 'amiga'] })
  assert.equal(response.status, 422)
  assert.ok('platforms.1' in response.body.errors)
})

test('rejects `custom_store_enabled: true` for an application without a custom store', async () => {
  const path = `/applications/${tenant.applicationId}`
  const body = { name: 'Custom', custom_store_enabled: true }
  for (const response of [await send('POST', '/applications', body), await send('PATCH', path, body)]) {
    assert.equal(response.status, 422)
    assert.match(response.body.errors.custom_store_enabled[0], /must be false|requires a store/)
  }
  const { status, body: changed } = await send('PATCH', path, { custom_store_enabled: false })
  assert.deepEqual([status, changed.data.custom_store_enabled], [200, false])
})
