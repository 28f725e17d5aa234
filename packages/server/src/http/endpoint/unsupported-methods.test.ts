import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

test('returns 405 for an unsupported method and lists the supported methods in the Allow header', async () => {
  const response = await service.call('PUT', '/workspace', { key: tenant.applicationKey })
  assert.deepEqual([response.status, response.headers.get('allow')], [405, 'GET, HEAD, PATCH'])
  assert.equal(response.body.code, 'request.method_not_allowed')
  const bulk = await service.call('GET', `/applications/${tenant.applicationId}/builds/bulk`)
  assert.deepEqual([bulk.status, bulk.headers.get('allow')], [405, 'POST'])
  const head = await service.call('HEAD', '/upload/request')
  assert.equal(head.status, 405)
  const options = await service.call('OPTIONS', '/upload/request')
  assert.deepEqual([options.status, options.headers.get('allow')], [405, 'POST'])
})

test('returns 401 for an unsupported method if the request has no valid API key', async () => {
  for (const key of [null, 'wrong']) {
    const response = await service.call('PUT', '/workspace', { key })
    assert.deepEqual([response.status, response.headers.get('allow')], [401, null])
  }
})

test('returns 405 for an unsupported method on a public path even if the request has no API key', async () => {
  const response = await service.call('DELETE', '/public/share-links/x/y', { key: null })
  assert.deepEqual([response.status, response.headers.get('allow')], [405, 'GET, HEAD'])
})

test('returns 404 for any method on an unknown path', async () => {
  for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS'])
    assert.equal((await service.call(method, '/nowhere')).status, 404)
})

test('prefers a fixed part of a path to an ID, whether or not an endpoint with an ID supports the method', async () => {
  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    const { status, headers } = await service.call(
      method,
      `/applications/${tenant.applicationId}/builds/bulk?page=1`,
    )
    assert.deepEqual([method, status, headers.get('allow')], [method, 405, 'POST'])
  }
})

test('sends JSON for an unsupported method to browsers too', async () => {
  const response = await fetch(`${service.url}/api/v1/workspace`, {
    method: 'POST',
    headers: { accept: 'text/html' },
  })
  assert.equal(response.status, 401)
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
})
