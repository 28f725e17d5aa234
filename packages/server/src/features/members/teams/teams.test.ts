import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { auditEntry } from '../../../../test/audit.ts'
import { startService, type Service, type Tenant } from '../../../../test/harness.ts'
import { insertMember, insertTeam } from '../../../../test/people.ts'
import { maxMembers } from './team.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const send = (method: string, path: string, body?: unknown, key = tenant.workspaceKey) =>
  service.call(method, path, { key, body })

async function succeed(method: string, path: string, body?: unknown, key = tenant.workspaceKey) {
  const response = await send(method, path, body, key)
  assert.ok(response.status < 300, response.text)
  return response.body.data
}

const emailOf = (userId: string) => `${userId}@example.com`

describe('a team', () => {
  test('is created, listed, searched, updated and deleted', async () => {
    const body = { name: ' Testers ', description: 'Test every build' }
    const created = await send('POST', '/workspace/teams', body)
    assert.equal(created.status, 201)
    const { id, created_at, updated_at, ...fields } = created.body.data
    assert.equal(created_at, updated_at)
    assert.deepEqual(fields, {
      name: 'Testers',
      description: 'Test every build',
      sso_group: null,
      member_count: 0,
      application_count: 0,
    })
    assert.equal((await auditEntry(service, id)).action, 'team.created')
    await succeed('POST', '/workspace/teams', { name: 'Ada’s team' })
    const names = async (query: string) =>
      (await succeed('GET', `/workspace/teams${query}`)).map(({ name }: { name: string }) => name)
    assert.deepEqual(await names('?search=every'), ['Testers'])
    assert.deepEqual(await names('?sort=desc&per_page=1'), ['Testers'])

    const taken = await send('POST', '/workspace/teams', { name: 'TESTERS' })
    assert.deepEqual([taken.status, taken.body.code], [409, 'team.name_taken'])
    const renamed = await succeed('PATCH', `/workspace/teams/${id}`, { name: 'QA', description: '' })
    assert.deepEqual([renamed.name, renamed.description], ['QA', null])
    const { action, before, after } = await auditEntry(service, id)
    assert.deepEqual(
      [action, before, after],
      [
        'team.updated',
        { name: 'Testers', description: 'Test every build' },
        { name: 'QA', description: null },
      ],
    )
    assert.equal((await send('PATCH', `/workspace/teams/${id}`, {})).status, 422)
    await succeed('DELETE', `/workspace/teams/${id}`)
    assert.equal((await send('GET', `/workspace/teams/${id}`)).status, 404)
  })

  test('gets several members at once and records who got which role', async () => {
    const team = await insertTeam(service, tenant, { role: 'qa' })
    const users = await Promise.all([0, 1].map(() => insertMember(service, tenant)))
    const path = `/workspace/teams/${team}/members`
    const added = await send('POST', path, { user_ids: [...users, users[0]] })
    assert.deepEqual(
      [added.status, added.body.message, added.body.data.member_count],
      [201, '2 members added.', 2],
    )
    const { name } = added.body.data
    const entry = await auditEntry(service, team)
    assert.deepEqual([entry.action, entry.application_id], ['team.members_added', null])
    const applications = [{ application_id: tenant.applicationId, role: 'qa' }]
    assert.deepEqual(entry.after, { name, members: users.map(emailOf).toSorted(), applications })
    const again = await send('POST', path, { user_ids: users })
    assert.equal(again.body.message, '0 members added.')
    assert.equal((await auditEntry(service, team)).id, entry.id)

    const foreign = await insertMember(service, await service.tenant())
    const refused = await send('POST', path, { user_ids: [users[0], foreign] })
    assert.equal(refused.status, 404)

    const members = await succeed('GET', `${path}?search=${users[0]}`)
    assert.deepEqual([members.length, members[0].id, members[0].email], [1, users[0], emailOf(users[0]!)])
    const removed = await send('POST', `${path}/remove`, { user_ids: [users[0]] })
    assert.equal(removed.body.message, '1 member removed.')
    const removal = await auditEntry(service, team)
    assert.deepEqual(removal.before, { name, members: [emailOf(users[0]!)], applications })
  })

  test('has a role in an application, which people of the application see', async () => {
    const user = await insertMember(service, tenant, { name: 'Mia' })
    const team = await insertTeam(service, tenant, { name: 'Field testers', members: [user] })
    const path = `/applications/${tenant.applicationId}/teams`
    const set = await send('PUT', `${path}/${team}`, { role: 'developer' })
    assert.equal(set.status, 200)
    const { added_at, ...fields } = set.body.data
    assert.match(added_at, /Z$/)
    assert.deepEqual(fields, {
      id: team,
      name: 'Field testers',
      description: null,
      member_count: 1,
      role: 'developer',
    })
    const entry = await auditEntry(service, team)
    assert.deepEqual([entry.action, entry.application_id], ['team.application_changed', tenant.applicationId])
    assert.deepEqual(entry.after, { name: 'Field testers', role: 'developer', members: [emailOf(user)] })
    await succeed('PUT', `${path}/${team}`, { role: 'developer' })
    assert.equal((await auditEntry(service, team)).id, entry.id)
    await succeed('PUT', `${path}/${team}`, { role: 'readonly' })

    const [member] = await succeed('GET', `/applications/${tenant.applicationId}/members?search=Mia`)
    assert.deepEqual(
      [member.role, member.resolved_role, member.source, member.teams],
      ['readonly', 'readonly', 'team', [{ id: team, name: 'Field testers', role: 'readonly' }]],
    )
    const listed = await succeed('GET', `${path}?search=field`)
    assert.deepEqual([listed.length, listed[0].id], [1, team])
    const applications = await succeed('GET', `/workspace/teams/${team}/applications`)
    assert.deepEqual([applications[0].id, applications[0].role], [tenant.applicationId, 'readonly'])

    const members = `/applications/${tenant.applicationId}/members`
    for (const [method, body] of [['PATCH', { role: 'qa' }], ['DELETE']] as const) {
      const refused = await send(method, `${members}/${user}`, body)
      assert.deepEqual([refused.status, refused.body.code], [409, 'member.through_team'])
    }
    const direct = await succeed('POST', members, { user_id: user, role: 'qa' })
    assert.deepEqual([direct.role, direct.resolved_role, direct.source], ['qa', 'qa', 'application'])
    await succeed('DELETE', `${members}/${user}`)
    await succeed('DELETE', `${path}/${team}`)
    const { action, before } = await auditEntry(service, team)
    assert.deepEqual(
      [action, before],
      ['team.application_removed', { name: 'Field testers', role: 'readonly', members: [emailOf(user)] }],
    )
    assert.equal((await send('DELETE', `${path}/${team}`)).status, 404)
  })

  test('accepts no more than its maximum number of members', async () => {
    const team = await insertTeam(service, tenant)
    const { db } = service.deps
    const ids = Array.from({ length: maxMembers }, (_, index) => `full${tenant.workspaceId}${index}`)
    await db
      .insertInto('users')
      .values(ids.map((id) => ({ id, email: emailOf(id) })))
      .execute()
    const rows = ids.map((user_id) => ({ user_id, workspace_id: tenant.workspaceId }))
    await db
      .insertInto('workspace_members')
      .values(rows.map((row) => ({ ...row, name: 'Full', role: 'member' })))
      .execute()
    await db
      .insertInto('team_members')
      .values(rows.map((row) => ({ ...row, team_id: team })))
      .execute()
    const user_ids = [await insertMember(service, tenant)]
    const refused = await send('POST', `/workspace/teams/${team}/members`, { user_ids })
    assert.deepEqual([refused.status, refused.body.code], [409, 'team.full'])
  })

  test('shows members of the workspace only the applications that they can access', async () => {
    const hidden = await succeed('POST', '/applications', { name: 'Hidden', platforms: ['linux'] })
    const user = await insertMember(service, tenant, { applicationRole: 'readonly' })
    const team = await insertTeam(service, tenant, { role: 'qa' })
    await succeed('PUT', `/applications/${hidden.id}/teams/${team}`, { role: 'qa' })
    const session = await service.signIn(user)
    const path = `/workspace/teams/${team}`
    assert.equal((await succeed('GET', path)).application_count, 2)
    assert.equal((await succeed('GET', path, undefined, session)).application_count, 1)
    const applications = await succeed('GET', `${path}/applications`, undefined, session)
    assert.deepEqual(
      applications.map(({ id }: { id: string }) => id),
      [tenant.applicationId],
    )
    assert.equal((await send('GET', `/applications/${hidden.id}/teams`, undefined, session)).status, 404)
  })
})

describe('teams disappear', () => {
  const rowsOf = async (column: 'user_id' | 'team_id' | 'application_id', id: string) => {
    const { db } = service.deps
    const members =
      column === 'application_id'
        ? []
        : await db.selectFrom('team_members').select('team_id').where(column, '=', id).execute()
    const roles =
      column === 'user_id'
        ? []
        : await db.selectFrom('team_applications').select('team_id').where(column, '=', id).execute()
    return members.length + roles.length
  }

  test('with their members and roles, and leave the people in the workspace', async () => {
    const user = await insertMember(service, tenant)
    const team = await insertTeam(service, tenant, {
      name: 'Short-lived',
      members: [user],
      role: 'developer',
    })
    await succeed('DELETE', `/workspace/teams/${team}`)
    assert.equal(await rowsOf('team_id', team), 0)
    const { action, before } = await auditEntry(service, team)
    assert.equal(action, 'team.deleted')
    assert.deepEqual(before, {
      name: 'Short-lived',
      description: null,
      members: [emailOf(user)],
      applications: [{ application_id: tenant.applicationId, role: 'developer' }],
    })
    assert.equal((await send('GET', `/users/${user}`)).status, 200)
  })

  test('for a person who leaves the workspace, also if the person joins again', async () => {
    const user = await insertMember(service, tenant)
    await insertTeam(service, tenant, { members: [user], role: 'admin' })
    await succeed('DELETE', `/workspace/members/${user}`)
    assert.equal(await rowsOf('user_id', user), 0)
    const member = { workspace_id: tenant.workspaceId, user_id: user, name: 'Ada', role: 'member' }
    await service.deps.db.insertInto('workspace_members').values(member).execute()
    const session = await service.signIn(user)
    assert.deepEqual((await succeed('GET', '/session', undefined, session)).applications, [])
  })

  test('with their workspace', async () => {
    const other = await service.tenant()
    const user = await insertMember(service, other)
    const team = await insertTeam(service, other, { members: [user], role: 'qa' })
    const { db } = service.deps
    await db.deleteFrom('api_keys').where('workspace_id', '=', other.workspaceId).execute()
    await db.deleteFrom('workspaces').where('id', '=', other.workspaceId).execute()
    assert.equal(await rowsOf('team_id', team), 0)
  })
})
