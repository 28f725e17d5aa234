import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type Service, type Tenant } from '../harness.ts'
import { person } from '../people.ts'
import { uploadBody } from '../uploading.ts'
import { allows } from './deeds.ts'
import { ok, versionOf } from './everything.ts'

let service: Service
let tenant: Tenant
let other: Tenant
let at: string

before(async () => {
  service = await startService()
  tenant = await service.tenant()
  other = await service.tenant()
  at = `/applications/${tenant.applicationId}`
})
after(() => service.close())

const release = { title: 'R', ...versionOf(1) }
const made = async (path: string, body: object): Promise<string> =>
  ok(await service.call('POST', path, { key: tenant.workspaceKey, body })).data.id

test('§5 bearer §7 401 §7 message in every error', async () => {
  for (const headers of [
    {},
    { authorization: 'Bearer wrong' },
    { authorization: tenant.workspaceKey },
    { authorization: 'Basic x' },
  ]) {
    const { status, body } = await service.call('GET', '/applications', { key: null, headers })
    assert.deepEqual([status, body.message], [401, 'Unauthorized'])
  }
  for (const answer of [
    await service.call('GET', '/no/such/path'),
    await service.call('GET', '/applications/none'),
    await service.call('GET', '/applications?sort=x'),
    await service.call('POST', '/applications', { body: {} }),
  ])
    assert.equal(typeof answer.body.message, 'string')
})

test('§5 hierarchical levels', async () => {
  await allows(service, tenant, ['releases:create'], [['GET', `${at}/releases`]], [], 'workspace')
  await allows(
    service,
    tenant,
    ['releases:write'],
    [
      ['GET', `${at}/releases`],
      ['POST', `${at}/releases`, release],
    ],
    [],
    'workspace',
  )
})

test('§5 missing scope §7 403', () =>
  allows(
    service,
    tenant,
    ['builds:read'],
    [],
    [['GET', `${at}/releases`, undefined, 'releases:read']],
    'application',
  ))

test('§5 application keys', async () => {
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
  for (const path of [
    '/distribution-groups',
    '/portals',
    '/workspace/labels',
    '/workspace/members',
    '/workspace/audit-log',
  ])
    assert.equal((await service.call('GET', path, { key })).status, 403, path)
})

test('§5 workspace:read', () =>
  allows(
    service,
    tenant,
    ['workspace:read'],
    [
      ['GET', '/workspace/labels'],
      ['GET', '/workspace/default-streams'],
      ['GET', '/workspace/custom-targets'],
    ],
    [
      ['GET', '/workspace/members', undefined, 'members:read'],
      ['POST', '/workspace/labels', { name: 'x' }, 'workspace:write'],
    ],
    'workspace',
  ))

test('§5 members:read', () =>
  allows(
    service,
    tenant,
    ['members:read'],
    [['GET', '/workspace/members']],
    [['GET', '/workspace/labels', undefined, 'workspace:read']],
    'workspace',
  ))

test('§5 applications:read / create / write', async () => {
  await allows(
    service,
    tenant,
    ['applications:read'],
    [
      ['GET', '/applications'],
      ['GET', at],
      ['GET', `${at}/streams`],
      ['GET', `${at}/labels`],
      ['GET', `${at}/platforms`],
      ['GET', `${at}/members`],
    ],
    [
      ['POST', '/applications', { name: 'x' }, 'applications:create'],
      ['PATCH', at, { name: 'x' }, 'applications:write'],
    ],
    'workspace',
  )
  await allows(
    service,
    tenant,
    ['applications:create'],
    [['POST', '/applications', { name: 'Made' }]],
    [
      ['DELETE', at, undefined, 'applications:write'],
      ['POST', `${at}/streams`, { name: 'x' }, 'applications:write'],
    ],
    'workspace',
  )
  await allows(
    service,
    tenant,
    ['applications:write'],
    [
      ['PATCH', at, { description: 'x' }],
      ['POST', `${at}/streams`, { name: 'by applications:write' }],
      ['POST', `${at}/labels`, { name: 'by applications:write' }],
      ['PUT', `${at}/platforms`, { platforms: ['generic', 'linux', 'android', 'ios', 'windows'] }],
    ],
    [],
    'workspace',
  )
})

test('§5 distribution_groups:read / create / write', async () => {
  const path = `/distribution-groups/${await made('/distribution-groups', { name: 'Testers' })}`
  const release_id = await made(`${at}/releases`, release)
  await allows(
    service,
    tenant,
    ['distribution_groups:read'],
    [
      ['GET', '/distribution-groups'],
      ['GET', path],
    ],
    [['POST', '/distribution-groups', { name: 'x' }, 'distribution_groups:create']],
    'workspace',
  )
  await allows(
    service,
    tenant,
    ['distribution_groups:create'],
    [['POST', '/distribution-groups', { name: 'Made' }]],
    [['PATCH', path, { name: 'x' }, 'distribution_groups:write']],
    'workspace',
  )
  await allows(
    service,
    tenant,
    ['distribution_groups:write'],
    [
      ['PATCH', path, { name: 'Renamed' }],
      ['POST', `${path}/releases`, { release_id, notify: false }],
      ['DELETE', path],
    ],
    [],
    'workspace',
  )
})

test('§5 portals:read / write', async () => {
  const path = `/portals/${await made('/portals', { name: 'Portal' })}`
  await allows(
    service,
    tenant,
    ['portals:read'],
    [
      ['GET', '/portals'],
      ['GET', path],
      ['GET', `${path}/releases`],
    ],
    [['PATCH', path, { name: 'x' }, 'portals:write']],
    'workspace',
  )
  const modes = { streams_mode: 'none', releases_mode: 'selective' }
  const release_id = await made(`${at}/releases`, release)
  await allows(
    service,
    tenant,
    ['portals:write'],
    [
      ['PATCH', path, { name: 'Renamed' }],
      ['PUT', `${path}/applications/${tenant.applicationId}`, modes],
      ['POST', `${path}/releases`, { release_id }],
      ['DELETE', `${path}/releases/${release_id}`],
      ['DELETE', path],
    ],
    [],
    'workspace',
  )
})

test('§5 application:read / application:write', async () => {
  await allows(
    service,
    tenant,
    ['application:read'],
    [
      ['GET', at],
      ['GET', `${at}/streams`],
      ['GET', `${at}/labels`],
      ['GET', `${at}/platforms`],
    ],
    [['PATCH', at, { description: 'x' }, 'application:write']],
    'application',
  )
  await allows(
    service,
    tenant,
    ['application:write'],
    [['PATCH', at, { description: 'x' }]],
    [],
    'application',
  )
  await allows(
    service,
    tenant,
    ['builds:read'],
    [
      ['GET', at],
      ['GET', '/applications'],
    ],
    [['GET', `${at}/streams`, undefined, 'application:read']],
    'application',
  )
})

test('§5 application members:read / members:write / members:create', async () => {
  const id = await person(service, tenant, { applicationRole: 'qa' })
  await allows(
    service,
    tenant,
    ['members:read'],
    [['GET', `${at}/members`]],
    [['PATCH', `${at}/members/${id}`, { role: 'qa' }, 'members:write']],
    'application',
  )
  await allows(
    service,
    tenant,
    ['members:write'],
    [['PATCH', `${at}/members/${id}`, { role: 'developer' }]],
    [],
    'application',
  )
})
