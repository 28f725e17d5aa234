import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../../test/harness.ts'
import { insertMember, insertTeam } from '../../../../test/people.ts'
import { until } from '../../../../test/until.ts'
import { applicationScopes, workspaceScopes } from '../../../http/endpoint/scopes.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

type Call = [method: string, path: string, body?: object]

const send = (key: string, [method, path, body]: Call) => service.call(method, path, { key, body })

const outcomes = (key: string, calls: readonly Call[]) =>
  Promise.all(
    calls.map(async (call) => {
      const { status, body } = await send(key, call)
      return status < 300 ? status : `${status} ${body.code}`
    }),
  )

const session = async (workspaceRole: string, applicationRole?: string) =>
  service.signIn(await insertMember(service, tenant, { workspaceRole, applicationRole }))

test('lets owners and admins manage teams, and members only see them', async () => {
  const user = await insertMember(service, tenant)
  for (const role of ['owner', 'admin']) {
    const key = await session(role)
    const { body } = await send(key, ['POST', '/workspace/teams', { name: `By ${role}` }])
    const path = `/workspace/teams/${body.data.id}`
    const calls: Call[] = [
      ['PATCH', path, { description: 'x' }],
      ['POST', `${path}/members`, { user_ids: [user] }],
      ['PUT', `/applications/${tenant.applicationId}/teams/${body.data.id}`, { role: 'admin' }],
      ['POST', `${path}/members/remove`, { user_ids: [user] }],
      ['DELETE', path],
    ]
    for (const call of calls) assert.ok((await send(key, call)).status < 300, call[1])
  }
  const team = await insertTeam(service, tenant)
  const path = `/workspace/teams/${team}`
  for (const role of [undefined, 'admin'] as const) {
    const key = await session('member', role)
    const reads = await outcomes(key, [
      ['GET', '/workspace/teams'],
      ['GET', path],
      ['GET', `${path}/members`],
      ['GET', `${path}/applications`],
    ])
    assert.deepEqual(reads, [200, 200, 200, 200])
    const writes = await outcomes(key, [
      ['POST', '/workspace/teams', { name: 'No' }],
      ['PATCH', path, { name: 'No' }],
      ['POST', `${path}/members`, { user_ids: [user] }],
      ['POST', `${path}/members/remove`, { user_ids: [user] }],
      ['DELETE', path],
    ])
    assert.ok(
      writes.every((outcome) => outcome === '403 scope.missing'),
      writes.join(),
    )
  }
})

test('lets an application admin give a team a role in this application only, and nobody below', async () => {
  const other = await send(tenant.workspaceKey, [
    'POST',
    '/applications',
    { name: 'Other', platforms: ['linux'] },
  ])
  const team = await insertTeam(service, tenant)
  const pathIn = (id: string) => `/applications/${id}/teams/${team}`
  const path = pathIn(tenant.applicationId)
  const admin = await session('member', 'admin')
  assert.deepEqual(
    await outcomes(admin, [
      ['PUT', path, { role: 'admin' }],
      ['GET', `/applications/${tenant.applicationId}/teams`],
      ['PUT', pathIn(other.body.data.id), { role: 'readonly' }],
    ]),
    [200, 200, '404 resource.not_found'],
  )
  for (const role of ['developer', 'qa', 'readonly']) {
    const key = await session('member', role)
    const refused = await outcomes(key, [
      ['PUT', path, { role: 'readonly' }],
      ['DELETE', path],
    ])
    assert.deepEqual(refused, ['403 scope.missing', '403 scope.missing'], role)
  }
  assert.equal((await send(admin, ['DELETE', path])).status, 200)
})

test('lets a person grant through teams what the person has through a team', async () => {
  const lead = await insertMember(service, tenant)
  await insertTeam(service, tenant, { members: [lead], role: 'admin' })
  const key = await service.signIn(lead)
  const team = await insertTeam(service, tenant)
  const call: Call = ['PUT', `/applications/${tenant.applicationId}/teams/${team}`, { role: 'admin' }]
  assert.equal((await send(key, call)).status, 200)
})

test('allows only keys with every application scope to touch the members and roles of a team that is an admin', async () => {
  const user = await insertMember(service, tenant)
  const plain = await insertTeam(service, tenant, { members: [user], role: 'developer' })
  const powerful = await insertTeam(service, tenant, { members: [user], role: 'admin' })
  const { workspaceId, applicationId } = tenant
  const limited = await service.key(workspaceId, null, ['members:write', 'applications:write'])
  const limitedInApplication = await service.key(workspaceId, applicationId, ['members:write'])
  const roleOf = (team: string) => `/applications/${applicationId}/teams/${team}`
  const membersOf = (team: string): Call[] => [
    ['POST', `/workspace/teams/${team}/members/remove`, { user_ids: [user] }],
    ['POST', `/workspace/teams/${team}/members`, { user_ids: [user] }],
  ]
  const refused = '403 member.full_key_required'
  const inApplication: Call[] = [
    ['PUT', roleOf(plain), { role: 'admin' }],
    ['PUT', roleOf(powerful), { role: 'qa' }],
    ['DELETE', roleOf(powerful)],
  ]
  assert.deepEqual(await outcomes(limitedInApplication, inApplication), [refused, refused, refused])
  const all: Call[] = [...inApplication, ...membersOf(powerful), ['DELETE', `/workspace/teams/${powerful}`]]
  assert.deepEqual(
    await outcomes(limited, all),
    all.map(() => refused),
  )
  for (const [call, status] of [
    [membersOf(plain)[0]!, 200],
    [membersOf(plain)[1]!, 201],
    [['PUT', roleOf(plain), { role: 'qa' }] as Call, 200],
  ] as const)
    assert.equal((await send(limited, call)).status, status, call[1])
  const full = await service.key(workspaceId, applicationId, applicationScopes)
  assert.equal((await send(full, ['PUT', roleOf(powerful), { role: 'qa' }])).status, 200)
})

test('hides teams of other workspaces', async () => {
  const foreign = await service.tenant()
  const team = await insertTeam(service, foreign, { role: 'qa' })
  const calls: Call[] = [
    ['GET', `/workspace/teams/${team}`],
    ['GET', `/workspace/teams/${team}/members`],
    ['PATCH', `/workspace/teams/${team}`, { name: 'Mine' }],
    ['PUT', `/applications/${tenant.applicationId}/teams/${team}`, { role: 'qa' }],
    ['DELETE', `/applications/${tenant.applicationId}/teams/${team}`],
  ]
  assert.deepEqual(
    await outcomes(tenant.workspaceKey, calls),
    calls.map(() => '404 resource.not_found'),
  )
  const { body } = await send(tenant.workspaceKey, ['GET', '/workspace/teams?per_page=100'])
  assert.ok(!body.data.some(({ id }: { id: string }) => id === team))
})

test('keeps no key of an admin who becomes a member valid, whatever the teams of the person may do', async () => {
  const user = await insertMember(service, tenant, { workspaceRole: 'admin' })
  await insertTeam(service, tenant, { members: [user], role: 'admin' })
  const created = await send(await service.signIn(user), [
    'POST',
    '/workspace/api-keys',
    { name: 'k', scopes: workspaceScopes },
  ])
  const { key } = created.body.data
  assert.equal((await send(key, ['GET', '/workspace/labels'])).status, 200)
  const demoted = await send(tenant.workspaceKey, ['PATCH', `/workspace/members/${user}`, { role: 'member' }])
  assert.match(demoted.body.message, /1 API key/)
  await until(
    'rejection of the key',
    async () => (await send(key, ['GET', '/workspace/labels'])).status === 401,
  )
  const { applications } = (await send(await service.signIn(user), ['GET', '/session'])).body.data
  assert.deepEqual(
    applications.map(({ id, role }: { id: string; role: string }) => [id, role]),
    [[tenant.applicationId, 'admin']],
  )
})
