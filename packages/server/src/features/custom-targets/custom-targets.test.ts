import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditEntry } from '../../../test/audit.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { uploadedBuild } from '../../../test/uploading.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant({ platforms: ['linux', 'android'] })
})
after(() => service.close())

const levels = [
  ['application', () => `/applications/${tenant.applicationId}/custom-targets`],
  ['workspace', () => '/workspace/custom-targets'],
] as const

const send = (method: string, path: string, body?: unknown, key = tenant.workspaceKey) =>
  service.call(method, path, { key, body })

for (const [level, path] of levels) {
  test(`creates, reads, updates and deletes a custom target at the ${level} level`, async () => {
    const created = await send('POST', path(), { name: ' Steam Deck ', platform: 'linux' })
    assert.equal(created.status, 201)
    const { id } = created.body.data
    assert.match(id, /^[0-9a-f]{8}-/)
    assert.deepEqual(created.body.data.platform, { identifier: 'linux', name: 'Linux (Generic)' })
    assert.deepEqual([created.body.data.name, created.body.data.level], ['Steam Deck', level])
    for (const identifier of [id, 'Steam%20Deck'])
      assert.deepEqual((await send('GET', `${path()}/${identifier}`)).body.data, created.body.data)
    const changed = await send('PATCH', `${path()}/${id}`, { name: 'Deck', platform: 'android' })
    assert.deepEqual([changed.body.data.name, changed.body.data.platform.identifier], ['Deck', 'linux'])
    const entry = await auditEntry(service, id)
    assert.deepEqual(entry.before, { name: 'Steam Deck', description: null, platform: 'linux' })
    assert.deepEqual(entry.after, { name: 'Deck', description: null, platform: 'linux' })
    assert.equal((await send('DELETE', `${path()}/Deck`)).status, 200)
    assert.equal((await send('GET', `${path()}/${id}`)).status, 404)
    assert.equal((await auditEntry(service, id)).action, 'custom_target.deleted')
  })

  test(`rejects a duplicate name or unknown platform for a custom target at the ${level} level`, async () => {
    await send('POST', path(), { name: 'taken', platform: 'linux' })
    const again = await send('POST', path(), { name: 'Taken', platform: 'android' })
    assert.equal(again.body.code, 'custom_target.name_taken')
    const unknown = await send('POST', path(), { name: 'x', platform: 'amiga' })
    assert.equal(unknown.status, 422)
    assert.ok('platform' in unknown.body.errors)
  })
}

test('rejects a custom target for a platform that is not attached to the application', async () => {
  const path = `/applications/${tenant.applicationId}/custom-targets`
  assert.equal((await send('POST', path, { name: 'x', platform: 'ios' })).status, 422)
})

test("lists an application's own custom targets and the workspace custom targets for its platforms", async () => {
  const own = await service.tenant({ platforms: ['linux'] })
  const key = own.workspaceKey
  const path = `/applications/${own.applicationId}/custom-targets`
  await send('POST', '/workspace/custom-targets', { name: 'fits', platform: 'linux' }, key)
  await send('POST', '/workspace/custom-targets', { name: 'other platform', platform: 'ios' }, key)
  await send('POST', path, { name: 'own', platform: 'linux' }, key)
  const names = async (listPath: string) =>
    (await send('GET', listPath, undefined, key)).body.data.map(({ name }: { name: string }) => name)
  assert.deepEqual(await names(path), ['fits', 'own'])
  assert.deepEqual(await names('/workspace/custom-targets'), ['fits', 'other platform'])
  assert.equal((await send('GET', `${path}/other%20platform`, undefined, key)).status, 404)
  assert.equal((await send('DELETE', `${path}/fits`, undefined, key)).body.code, 'custom_target.of_workspace')
})

test('keeps a custom target on its build after promotion and refuses to delete a target in use', async () => {
  const own = await service.tenant()
  const path = `/applications/${own.applicationId}/custom-targets`
  const created = await send('POST', path, { name: 'kiosk', platform: 'linux' }, own.applicationKey)
  const { build } = await uploadedBuild(service, own, { custom_target: 'kiosk' })
  const promoted = await send('POST', `${path}/kiosk/promote`, undefined, own.workspaceKey)
  assert.deepEqual([promoted.status, promoted.body.data.level], [200, 'workspace'])
  assert.equal((await auditEntry(service, created.body.data.id)).action, 'custom_target.promoted')
  const read = await send(
    'GET',
    `/applications/${own.applicationId}/builds/${build.id}`,
    undefined,
    own.applicationKey,
  )
  assert.deepEqual(
    [read.body.data.custom_target.name, read.body.data.custom_target.level],
    ['kiosk', 'workspace'],
  )
  const deleted = await send('DELETE', '/workspace/custom-targets/kiosk', undefined, own.workspaceKey)
  assert.deepEqual([deleted.status, deleted.body.code], [409, 'custom_target.in_use'])

  await send('POST', path, { name: 'Kiosk', platform: 'linux' }, own.applicationKey)
  const again = await send('POST', `${path}/Kiosk/promote`, undefined, own.workspaceKey)
  assert.deepEqual([again.status, again.body.code], [409, 'custom_target.name_taken'])
})

test('prefers a custom target with a matching ID over a custom target with a matching name', async () => {
  const own = await service.tenant()
  const path = `/applications/${own.applicationId}/custom-targets`
  const shared = { name: 'kiosk', platform: 'linux' }
  const { id } = (await send('POST', '/workspace/custom-targets', shared, own.workspaceKey)).body.data
  await send('POST', path, { name: id, platform: 'linux' }, own.workspaceKey)
  assert.equal((await send('GET', `${path}/${id}`, undefined, own.workspaceKey)).body.data.id, id)
  const { build } = await uploadedBuild(service, own, { custom_target: id })
  assert.equal(build.custom_target.id, id)
})

test('returns a single custom target with the IDs of its application and workspace', async () => {
  const own = await service.tenant()
  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, path, { key: own.workspaceKey, body })
  const base = `/applications/${own.applicationId}/custom-targets`
  const parents = { application_id: own.applicationId, workspace_id: own.workspaceId }
  const created = await call('POST', base, { name: 'own', platform: 'linux' })
  const shared = await call('POST', '/workspace/custom-targets', { name: 'shared', platform: 'linux' })
  for (const [response, application_id] of [
    [created, own.applicationId],
    [await call('GET', `${base}/own`), own.applicationId],
    [await call('PATCH', `${base}/own`, { description: 'x' }), own.applicationId],
    [shared, null],
    [await call('GET', `${base}/shared`), null],
    [await call('POST', `${base}/own/promote`), null],
  ] as const) {
    const { data } = response.body
    assert.deepEqual(
      { application_id: data.application_id, workspace_id: data.workspace_id },
      { ...parents, application_id },
    )
  }
})
