import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditEntry } from '../../../../test/audit.ts'
import { startService, type Service, type Tenant } from '../../../../test/harness.ts'
import { insertMember, insertTeam } from '../../../../test/people.ts'
import { generateToken, hashToken } from '../invitation.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

let people = 0
const newEmail = () => `invited.${++people}.${tenant.workspaceId}@example.com`

const invite = (body: object, key = tenant.workspaceKey) =>
  service.call('POST', '/workspace/invitations', {
    key,
    body: { email: newEmail(), role: 'member', ...body },
  })

async function tokenOf(response: Awaited<ReturnType<typeof invite>>): Promise<string> {
  assert.equal(response.status, 201, response.text)
  const { token, id } = response.body.data
  if (token !== null) return token
  // Limited keys cannot read the token, which is only in the email.
  const known = generateToken()
  await service.deps.db
    .updateTable('invitations')
    .set({ token_sha256: hashToken(known) })
    .where('id', '=', id)
    .execute()
  return known
}

async function accept(token: string): Promise<string> {
  const body = { name: 'Grace' }
  const response = await service.call('POST', `/invitations/${token}/accept`, { key: null, body })
  assert.equal(response.status, 200, response.text)
  return response.body.data.id
}

const teamsOf = async (userId: string) => {
  const rows = await service.deps.db
    .selectFrom('team_members')
    .select('team_id')
    .where('user_id', '=', userId)
    .execute()
  return rows.map(({ team_id }) => team_id).toSorted()
}

test('adds the person to the teams that the invitation names', async () => {
  const [one, other] = [
    await insertTeam(service, tenant, { name: 'Android testers', role: 'qa' }),
    await insertTeam(service, tenant, { name: 'Translators' }),
  ]
  const response = await invite({ teams: [one, other] })
  const named = [
    { id: one, name: 'Android testers' },
    { id: other, name: 'Translators' },
  ]
  assert.deepEqual(response.body.data.teams, named)
  const token = await tokenOf(response)
  const page = await service.call('GET', `/invitations/${token}`, { key: null })
  assert.deepEqual(page.body.data.teams, named)
  const user = await accept(token)
  assert.deepEqual(await teamsOf(user), [one, other].toSorted())
  const session = await service.call('GET', '/session', { key: await service.signIn(user) })
  assert.deepEqual(session.body.data.applications[0].role, 'qa')
  const entry = await auditEntry(service, one, 'team.members_added')
  assert.deepEqual([entry.actor_kind, entry.actor_id], ['user', user])
  const accepted = await auditEntry(service, response.body.data.id, 'invitation.accepted')
  assert.equal((accepted.after as { teams: object[] }).teams.length, 2)
})

test('leaves out teams that were deleted before the invitation is accepted', async () => {
  const [kept, deleted] = [await insertTeam(service, tenant), await insertTeam(service, tenant)]
  const token = await tokenOf(await invite({ teams: [kept, deleted] }))
  await service.call('DELETE', `/workspace/teams/${deleted}`, { key: tenant.workspaceKey })
  assert.deepEqual(await teamsOf(await accept(token)), [kept])
})

test('lets a key without every application scope name no team that is an admin, not even later', async () => {
  const key = await service.key(tenant.workspaceId, null, ['members:write'])
  const powerful = await insertTeam(service, tenant, { role: 'admin' })
  const refused = await invite({ teams: [powerful] }, key)
  assert.deepEqual([refused.status, refused.body.code], [403, 'member.full_key_required'])

  const [plain, promoted] = [
    await insertTeam(service, tenant, { role: 'qa' }),
    await insertTeam(service, tenant, { role: 'qa' }),
  ]
  const byLimited = await tokenOf(await invite({ teams: [plain, promoted] }, key))
  const byFull = await tokenOf(await invite({ teams: [plain, promoted] }))
  const path = `/applications/${tenant.applicationId}/teams/${promoted}`
  const changed = await service.call('PUT', path, { key: tenant.workspaceKey, body: { role: 'admin' } })
  assert.equal(changed.status, 200)
  assert.deepEqual(await teamsOf(await accept(byLimited)), [plain])
  assert.deepEqual(await teamsOf(await accept(byFull)), [plain, promoted].toSorted())
})

test('ends with the role of the inviter', async () => {
  const admin = await insertMember(service, tenant, { workspaceRole: 'admin' })
  const team = await insertTeam(service, tenant, { role: 'admin' })
  const token = await tokenOf(await invite({ teams: [team] }, await service.signIn(admin)))
  const body = { role: 'member' }
  await service.call('PATCH', `/workspace/members/${admin}`, { key: tenant.workspaceKey, body })
  const response = await service.call('POST', `/invitations/${token}/accept`, {
    key: null,
    body: { name: 'X' },
  })
  assert.equal(response.status, 410)
})

test('accepts only teams of the workspace, each once, in an invitation of a member to the workspace', async () => {
  const team = await insertTeam(service, tenant)
  const foreign = await insertTeam(service, await service.tenant())
  for (const [body, field] of [
    [{ teams: [team, foreign] }, 'teams.1'],
    [{ teams: [team, team] }, 'teams.1'],
    [{ teams: [team], role: 'admin' }, 'teams'],
    [{ teams: [team], role: 'qa', application_id: tenant.applicationId }, 'teams'],
  ] as const) {
    const response = await invite(body)
    assert.equal(response.status, 422)
    assert.deepEqual(Object.keys(response.body.errors), [field])
  }
})
