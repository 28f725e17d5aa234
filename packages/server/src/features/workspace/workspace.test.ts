import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditEntry } from '../../../test/audit.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { uploadBody } from '../../../test/uploading.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const change = (body: unknown, of = tenant) =>
  service.call('PATCH', '/workspace', { key: of.workspaceKey, body })

test('updates only the workspace fields included in the request and audits the change', async () => {
  const before = await service.call('GET', '/workspace', { key: tenant.applicationKey })
  const named = await change({ name: 'Studio', subdomain: 'studio' })
  assert.equal(named.status, 200)
  assert.deepEqual([named.body.data.name, named.body.data.subdomain], ['Studio', 'studio'])
  const entry = await auditEntry(service, tenant.workspaceId)
  assert.equal(entry.action, 'workspace.updated')
  assert.equal((entry.before as { name: string }).name, before.body.data.name)
  assert.equal((await change({ subdomain: null })).body.data.subdomain, tenant.workspaceId)
  const read = await service.call('GET', '/workspace', { key: tenant.applicationKey })
  assert.deepEqual([read.body.data.name, read.body.data.subdomain], ['Studio', tenant.workspaceId])
})

test('returns 409 for a subdomain that is already in use and 422 for an invalid subdomain', async () => {
  const other = await service.tenant()
  assert.equal((await change({ subdomain: 'games' }, other)).status, 200)
  const taken = await change({ subdomain: 'games' })
  assert.deepEqual([taken.status, taken.body.code], [409, 'workspace.subdomain_taken'])
  for (const subdomain of ['Games', '-a', 'a-', 'a.b', '', 'x'.repeat(64), 1]) {
    const response = await change({ subdomain })
    assert.equal(response.status, 422, String(subdomain))
    assert.ok('subdomain' in response.body.errors)
  }
})

test('uses the workspace ID as the default subdomain and reserves it for that workspace', async () => {
  const [own, other] = [await service.tenant(), await service.tenant()]
  const { data } = (await service.call('GET', '/workspace', { key: own.applicationKey })).body
  assert.equal(data.subdomain, own.workspaceId)
  const squatted = await change({ subdomain: own.workspaceId }, other)
  assert.deepEqual([squatted.status, squatted.body.code], [409, 'workspace.subdomain_taken'])
  assert.equal((await change({ subdomain: own.workspaceId }, own)).status, 200)
})

test('rejects uploads that specify a custom target while custom targets are disabled', async () => {
  const of = await service.tenant()
  const path = `/applications/${of.applicationId}/custom-targets`
  const body = { name: 'kiosk', platform: 'linux' }
  await service.call('POST', path, { key: of.workspaceKey, body })
  const request = () =>
    service.call('POST', '/upload/request', {
      key: of.applicationKey,
      body: uploadBody({ custom_target: 'kiosk' }),
    })
  assert.equal((await request()).status, 200)
  assert.equal((await change({ custom_targets_enabled: false }, of)).status, 200)
  const response = await request()
  assert.equal(response.status, 422)
  assert.ok('custom_target' in response.body.errors)
})
