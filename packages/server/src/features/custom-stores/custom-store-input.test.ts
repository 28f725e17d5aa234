import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { badJson } from '../../../test/bad-values.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

// The endpoint is not on a public address, so that the test of the store always fails in its first step.
const store = {
  endpoint: 'http://10.255.255.1:9000',
  region: 'us-east-1',
  bucket: 'builds',
  prefix: 'input',
  force_path_style: true,
  acl: 'private',
  access_key_id: 'key',
  secret_access_key: 'secret',
}

const replace = (body: object) =>
  service.call('PUT', `/applications/${tenant.applicationId}/custom-store`, {
    key: tenant.workspaceKey,
    body,
  })

for (const field of Object.keys(store))
  test(`returns a 422 that names ${field} or the failed test for any value`, async () => {
    for (const json of badJson.filter(({ length }) => length < 5_000)) {
      const { status, body, text } = await replace({ ...store, [field]: JSON.parse(json) as unknown })
      assert.equal(status, 422, `${json}: ${text}`)
      if (body.code === 'custom_store.test_failed') assert.deepEqual(Object.keys(body.errors), ['endpoint'])
      else assert.ok(field in body.errors || 'region' in body.errors, `${json}: ${text}`)
    }
  })

const invalid: [string, string][] = [
  ['endpoint', 's3.example.com'],
  ['endpoint', 'ftp://s3.example.com'],
  ['endpoint', 'https://s3.example.com/path'],
  ['endpoint', 'https://user:password@s3.example.com'],
  ['endpoint', 'https://s3.example.com/?x=1'],
  ['region', 'eu.attacker.example.com/'],
  ['bucket', 'a/b'],
  ['bucket', 'ab'],
  ['prefix', '/leading'],
  ['prefix', 'a//b'],
  ['prefix', '../up'],
]
for (const [field, value] of invalid)
  test(`rejects ${value} as ${field}`, async () => {
    const { status, body } = await replace({ ...store, [field]: value })
    assert.deepEqual([status, Object.keys(body.errors)], [422, [field]])
  })

test('requires both keys or neither', async () => {
  const { status, body } = await replace({ ...store, secret_access_key: undefined })
  assert.deepEqual([status, Object.keys(body.errors)], [422, ['secret_access_key']])
})
