import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../test/harness.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

test('a method that a path does not take, 405 names those it takes', async () => {
  const answer = await service.call('PUT', '/workspace', { key: tenant.applicationKey })
  assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'GET, HEAD, PATCH'])
  assert.equal(answer.body.code, 'request.method_not_allowed')
  const bulk = await service.call('GET', `/applications/${tenant.applicationId}/builds/bulk`)
  assert.deepEqual([bulk.status, bulk.headers.get('allow')], [405, 'POST'])
  const head = await service.call('HEAD', '/upload/request')
  assert.equal(head.status, 405)
  const options = await service.call('OPTIONS', '/upload/request')
  assert.deepEqual([options.status, options.headers.get('allow')], [405, 'POST'])
})

test('the same without a valid key, 401 and nothing of the path', async () => {
  for (const key of [null, 'wrong']) {
    const answer = await service.call('PUT', '/workspace', { key })
    assert.deepEqual([answer.status, answer.headers.get('allow')], [401, null])
  }
})

test('the same of a path that asks for no key, 405', async () => {
  const answer = await service.call('DELETE', '/public/share-links/x/y', { key: null })
  assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'GET, HEAD'])
})

test('a path that is nowhere, 404 whatever the method', async () => {
  for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS'])
    assert.equal((await service.call(method, '/nowhere')).status, 404)
})
