import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../harness.ts'
import { requestUpload, uploadBody } from '../uploading.ts'

const service = await startService()
const tenant = await service.tenant()
const other = await service.tenant()
after(() => service.close())

test('rejects requests without a valid bearer token (§5 bearer, §7 401)', async () => {
  for (const headers of [
    {},
    { authorization: 'Bearer wrong' },
    { authorization: tenant.workspaceKey },
    { authorization: 'Basic x' },
  ]) {
    const { status, body } = await service.call('GET', '/applications', { key: null, headers })
    assert.deepEqual([status, body.message], [401, 'Unauthorized'])
  }
})

test('includes a message in every error response (§7 message in every error)', async () => {
  for (const response of [
    await service.call('GET', '/no/such/path'),
    await service.call('GET', '/applications/none'),
    await service.call('GET', '/applications?sort=x'),
    await service.call('POST', '/applications', { body: {} }),
  ])
    assert.equal(typeof response.body.message, 'string')
})

test('returns a 403 error that names the required scope when the key lacks it (§5 missing scope, §7 403)', async () => {
  const key = await service.key(tenant.workspaceId, tenant.applicationId, ['builds:read'])
  const path = `/applications/${tenant.applicationId}/releases`
  const { status, body } = await service.call('GET', path, { key })
  assert.deepEqual([status, body.message], [403, "This action requires 'releases:read' scope."])
})

test('limits an application key to its own application (§5 application keys)', async () => {
  const key = tenant.applicationKey
  for (const path of [
    `/applications/${other.applicationId}`,
    `/applications/${other.applicationId}/builds`,
  ]) {
    const { status, body } = await service.call('GET', path, { key })
    assert.deepEqual([status, body.message], [404, 'Not found.'])
  }
  const application_id = other.applicationId
  assert.equal(
    (await service.call('POST', '/upload/request', { key, body: uploadBody({ application_id }) })).status,
    404,
  )
  const { pending_upload_id } = await requestUpload(service, other)
  assert.equal((await service.call('GET', `/upload/${pending_upload_id}`, { key })).status, 404)
  for (const path of [
    '/distribution-groups',
    '/portals',
    '/workspace/labels',
    '/workspace/members',
    '/workspace/audit-log',
  ])
    assert.equal((await service.call('GET', path, { key })).status, 403, path)
})
