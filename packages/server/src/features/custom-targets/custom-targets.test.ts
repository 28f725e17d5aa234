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

for (const [level, home] of levels) {
  test(`a custom target of the ${level}, made, read by id and by name, changed, deleted`, async () => {
    const made = await send('POST', home(), { name: ' Steam Deck ', platform: 'linux' })
    assert.equal(made.status, 201)
    const { id } = made.body.data
    assert.match(id, /^[0-9a-f]{8}-/)
    assert.deepEqual(made.body.data.platform, { identifier: 'linux', name: 'Linux (Generic)' })
    assert.deepEqual([made.body.data.name, made.body.data.level], ['Steam Deck', level])
    for (const identifier of [id, 'Steam%20Deck'])
      assert.deepEqual((await send('GET', `${home()}/${identifier}`)).body.data, made.body.data)
    const changed = await send('PATCH', `${home()}/${id}`, { name: 'Deck', platform: 'android' })
    assert.deepEqual([changed.body.data.name, changed.body.data.platform.identifier], ['Deck', 'linux'])
    const entry = await auditEntry(service, id)
    assert.deepEqual(entry.before, { name: 'Steam Deck', description: null, platform: 'linux' })
    assert.deepEqual(entry.after, { name: 'Deck', description: null, platform: 'linux' })
    assert.equal((await send('DELETE', `${home()}/Deck`)).status, 200)
    assert.equal((await send('GET', `${home()}/${id}`)).status, 404)
    assert.equal((await auditEntry(service, id)).action, 'custom_target.deleted')
  })

  test(`a custom target of the ${level} with a name that is there, 409; of no platform, 422`, async () => {
    await send('POST', home(), { name: 'taken', platform: 'linux' })
    const again = await send('POST', home(), { name: 'Taken', platform: 'android' })
    assert.equal(again.body.code, 'custom_target.name_taken')
    const unknown = await send('POST', home(), { name: 'x', platform: 'amiga' })
    assert.equal(unknown.status, 422)
    assert.ok('platform' in unknown.body.errors)
  })
}

test('a custom target of an application for a platform that is not attached, 422', async () => {
  const path = `/applications/${tenant.applicationId}/custom-targets`
  assert.equal((await send('POST', path, { name: 'x', platform: 'ios' })).status, 422)
})

test('custom targets of an application, those of the workspace only for its platforms', async () => {
  const of = await service.tenant({ platforms: ['linux'] })
  const key = of.workspaceKey
  const path = `/applications/${of.applicationId}/custom-targets`
  await send('POST', '/workspace/custom-targets', { name: 'fits', platform: 'linux' }, key)
  await send('POST', '/workspace/custom-targets', { name: 'fits not', platform: 'ios' }, key)
  await send('POST', path, { name: 'own', platform: 'linux' }, key)
  const names = async (at: string) =>
    (await send('GET', at, undefined, key)).body.data.map(({ name }: { name: string }) => name)
  assert.deepEqual(await names(path), ['fits', 'own'])
  assert.deepEqual(await names('/workspace/custom-targets'), ['fits', 'fits not'])
  assert.equal((await send('GET', `${path}/fits%20not`, undefined, key)).status, 404)
  assert.equal((await send('DELETE', `${path}/fits`, undefined, key)).body.code, 'custom_target.of_workspace')
})

test('promoting a custom target of a build, the build refers to it and the workspace has it; deleting it, 409', async () => {
  const of = await service.tenant()
  const path = `/applications/${of.applicationId}/custom-targets`
  const made = await send('POST', path, { name: 'kiosk', platform: 'linux' }, of.applicationKey)
  const { build } = await uploadedBuild(service, of, { custom_target: 'kiosk' })
  const lifted = await send('POST', `${path}/kiosk/promote`, undefined, of.workspaceKey)
  assert.deepEqual([lifted.status, lifted.body.data.level], [200, 'workspace'])
  assert.equal((await auditEntry(service, made.body.data.id)).action, 'custom_target.promoted')
  const read = await send(
    'GET',
    `/applications/${of.applicationId}/builds/${build.id}`,
    undefined,
    of.applicationKey,
  )
  assert.deepEqual(
    [read.body.data.custom_target.name, read.body.data.custom_target.level],
    ['kiosk', 'workspace'],
  )
  const deleted = await send('DELETE', '/workspace/custom-targets/kiosk', undefined, of.workspaceKey)
  assert.deepEqual([deleted.status, deleted.body.code], [409, 'custom_target.in_use'])

  await send('POST', path, { name: 'Kiosk', platform: 'linux' }, of.applicationKey)
  const again = await send('POST', `${path}/Kiosk/promote`, undefined, of.workspaceKey)
  assert.deepEqual([again.status, again.body.code], [409, 'custom_target.name_taken'])
})
