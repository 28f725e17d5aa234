import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { insertMember } from '../../../test/people.ts'
import { uploadedBuild } from '../../../test/uploading.ts'
import { encodeCursor } from '../../http/endpoint/cursor.ts'
import { deviceHash } from '../builds/inspection/device-hash.ts'
import { parseUdid } from './device.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const send = (method: string, path: string, body?: unknown, key = tenant.workspaceKey) =>
  service.call(method, `/devices${path}`, { key, ...(body === undefined ? {} : { body }) })

let serial = 0
const nextUdid = (): string => `00008140-${(serial += 1).toString(16).padStart(16, '0').toUpperCase()}`

test('accepts only identifiers in the two formats of Apple', () => {
  assert.equal(parseUdid(` ${'A'.repeat(40)}\n`), 'a'.repeat(40))
  assert.equal(parseUdid('00008140-001a2b3c4d5e6f70'), '00008140-001A2B3C4D5E6F70')
  for (const text of ['', 'a'.repeat(39), 'a'.repeat(41), 'g'.repeat(40), '00008140001A2B3C4D5E6F70'])
    assert.equal(parseUdid(text), undefined, text)
})

test('creates, finds, changes and deletes a device', async () => {
  const own = await service.tenant()
  const call = (method: string, path: string, body?: unknown) => send(method, path, body, own.workspaceKey)
  const created = await call('POST', '', {
    udid: '00008140-00aa2b3c4d5e6f70',
    name: 'Ana’s iPhone',
    email: 'ana@example.com',
  })
  assert.equal(created.status, 201, created.text)
  const { id, udid, platform, source } = created.body.data
  assert.deepEqual([udid, platform, source], ['00008140-00AA2B3C4D5E6F70', 'ios', 'api'])
  const again = await call('POST', '', { udid: udid.toLowerCase(), name: 'Other' })
  assert.deepEqual([again.status, again.body.code], [409, 'device.exists'])
  assert.equal((await call('POST', '', { udid: 'x', name: 'Other' })).status, 422)
  assert.equal((await call('GET', '?search=aa2b3c')).body.pagination.total, 1)
  assert.equal((await call('GET', '?search=nothing')).body.pagination.total, 0)
  const changed = await call('PATCH', `/${id}`, { name: 'Ben’s iPhone', email: null })
  assert.deepEqual([changed.body.data.name, changed.body.data.email], ['Ben’s iPhone', null])
  assert.equal((await send('GET', `/${id}`)).status, 404)
  assert.equal((await call('DELETE', `/${id}`)).status, 200)
  assert.equal((await call('GET', `/${id}`)).status, 404)
  const entries = await service.call('GET', '/workspace/audit-log', { key: own.workspaceKey })
  const actions = new Set(entries.body.data.map(({ action }: { action: string }) => action))
  for (const verb of ['created', 'updated', 'deleted']) assert.ok(actions.has(`device.${verb}`), verb)
})

test('exports devices in the format of the Apple Developer portal', async () => {
  const own = await service.tenant()
  const [phone, mac] = [nextUdid(), nextUdid()]
  await send('POST', '', { udid: phone, name: 'B' }, own.workspaceKey)
  await send('POST', '', { udid: mac, name: 'A', platform: 'macos' }, own.workspaceKey)
  const { data } = (await send('GET', '/export', undefined, own.workspaceKey)).body
  assert.equal(data.content, `Device ID\tDevice Name\tDevice Platform\n${mac}\tA\tmac\n${phone}\tB\tios\n`)
  assert.equal(data.device_count, 2)
})

/** Uploads a build whose profile lists the devices. */
async function provisionedBuild(owner: Tenant, udids: string[], info: object = {}) {
  const { build } = await uploadedBuild(service, owner)
  const { db, secretBox } = service.deps
  const device_hashes = udids.map((udid) => deviceHash(secretBox, owner.workspaceId, udid))
  await db.deleteFrom('package_details').where('build_id', '=', build.id).execute()
  await db.insertInto('package_details').values({ build_id: build.id, device_hashes }).execute()
  const ios_info = JSON.stringify({ key_type: 'adhoc', provisioning_profile_expiry: null, ...info })
  await db.updateTable('builds').set({ ios_info }).where('id', '=', build.id).execute()
  return build.id as string
}

test('lists the builds that a device can install, and the devices that a build leaves out', async () => {
  const own = await service.tenant()
  const [first, second] = [nextUdid(), nextUdid()]
  const { id } = (await send('POST', '', { udid: first, name: 'First' }, own.workspaceKey)).body.data
  await send('POST', '', { udid: second, name: 'Second' }, own.workspaceKey)
  const past = '2020-01-01T00:00:00.000000Z'
  await provisionedBuild(own, [second])
  await provisionedBuild(own, [first], { provisioning_profile_expiry: past })
  const builds = [
    await provisionedBuild(own, [first]),
    await provisionedBuild(own, [first, second]),
    await provisionedBuild(own, [], { key_type: 'enterprise' }),
  ]
  await provisionedBuild(await service.tenant(), [first])
  const page = async (query: string) =>
    (await send('GET', `/${id}/builds?limit=2${query}`, undefined, own.workspaceKey)).body
  const idsOf = ({ data }: { data: { build: { id: string } }[] }) => data.map(({ build }) => build.id)
  const newest = await page('')
  const rest = await page(`&after=${newest.next_cursor}`)
  assert.deepEqual([idsOf(newest), idsOf(rest)], [builds.slice(1).toReversed(), builds.slice(0, 1)])
  assert.equal(rest.next_cursor, null)
  for (const after of ['x', encodeCursor(['device-builds-1', '1', 'id'])])
    assert.equal((await send('GET', `/${id}/builds?after=${after}`, undefined, own.workspaceKey)).status, 422)
  const path = `/applications/${own.applicationId}/builds`
  const coverage = async (build: string) =>
    (await service.call('GET', `${path}/${build}/devices`, { key: own.workspaceKey })).body.data
  const { missing, ...counts } = await coverage(builds[0]!)
  assert.deepEqual(counts, { registered_count: 2, included_count: 1, includes_all: false })
  assert.deepEqual(
    missing.map(({ name }: { name: string }) => name),
    ['Second'],
  )
  assert.equal((await coverage(builds[2]!)).included_count, 2)
})

test('hides devices from members and email addresses from keys without members:read', async () => {
  const own = await service.tenant()
  await send('POST', '', { udid: nextUdid(), name: 'Phone', email: 'ana@example.com' }, own.workspaceKey)
  const member = await insertMember(service, own, { applicationRole: 'admin' })
  const session = await service.signIn(member, own.workspaceId)
  assert.equal((await send('GET', '', undefined, session)).status, 403)
  const owner = await insertMember(service, own, { workspaceRole: 'owner' })
  assert.equal((await send('GET', '', undefined, await service.signIn(owner, own.workspaceId))).status, 200)
  const key = await service.key(own.workspaceId, null, ['distribution_groups:read'])
  const { data } = (await send('GET', '', undefined, key)).body
  assert.deepEqual(
    data.map(({ email }: { email: string | null }) => email),
    [null],
  )
})
