import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { startIdentityProvider } from '../../test/identity-provider.ts'
import { insertTeam } from '../../test/people.ts'
import { connectScim } from '../../test/scim-client.ts'
import { startSignInService } from '../../test/sign-in.ts'
import { workspaceScopes } from '../http/endpoint/scopes.ts'

let provider: Awaited<ReturnType<typeof startIdentityProvider>>
let service: Awaited<ReturnType<typeof startSignInService>>
let key: string

before(async () => {
  provider = await startIdentityProvider()
  service = await startSignInService({
    ...provider.environment,
    QUAYSIDE_OIDC_ALLOWED_DOMAINS: 'games.example',
  })
  provider.open(`${service.url}/api/auth/callback/sso`)
  key = await service.key(service.workspaceId, null, [...workspaceScopes])
})
after(async () => {
  await service.close()
  await provider.close()
})

/** Signs in and returns the address to which the browser is sent. */
async function redirectOf(person: string, groups?: unknown, email = `${person}@games.example`) {
  provider.profiles.set(person, {
    email,
    email_verified: true,
    name: person,
    ...(groups === undefined ? {} : { groups }),
  })
  const browser = service.browser()
  const started = await browser.post('/api/auth/sign-in/social', { provider: 'sso', callbackURL: '/' })
  const finished = await browser.get(await provider.signIn(started.body.url, person))
  const { pathname, search } = new URL(finished.headers.get('location') ?? '', service.url)
  return pathname + search
}

async function signIn(person: string, groups?: unknown): Promise<string> {
  assert.equal(await redirectOf(person, groups), '/')
  const { id } = await service.deps.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', `${person}@games.example`)
    .executeTakeFirstOrThrow()
  return id
}

async function createTeam(name: string, group: string | null): Promise<string> {
  const created = await service.call('POST', '/workspace/teams', { key, body: { name, sso_group: group } })
  assert.equal(created.status, 201, created.text)
  return created.body.data.id
}

async function teamsOf(userId: string): Promise<Record<string, string>> {
  const rows = await service.deps.db
    .selectFrom('team_members')
    .innerJoin('teams', 'teams.id', 'team_members.team_id')
    .select(['teams.name', 'team_members.source'])
    .where('user_id', '=', userId)
    .orderBy('teams.name')
    .execute()
  return Object.fromEntries(rows.map(({ name, source }) => [name, source]))
}

test('adds and removes people by the groups of each sign-in, and leaves other teams alone', async () => {
  const testers = await createTeam('Testers', 'games-qa')
  await createTeam('Developers', 'games-dev')
  const others = await createTeam('Others', null)
  const ada = await signIn('ada', ['games-qa', 'unknown'])
  await service.call('POST', `/workspace/teams/${others}/members`, { key, body: { user_ids: [ada] } })
  assert.deepEqual(await teamsOf(ada), { Others: 'manual', Testers: 'sso' })
  const members = await service.call('GET', `/workspace/teams/${testers}/members`, { key })
  assert.equal(members.body.data[0].source, 'sso')
  await signIn('ada', ['games-dev', 'Games-QA'])
  assert.deepEqual(await teamsOf(ada), { Developers: 'sso', Others: 'manual' })
  await signIn('ada')
  assert.deepEqual(await teamsOf(ada), { Others: 'manual' })
  const entries = await service.deps.db
    .selectFrom('audit_entries')
    .select(['action', 'actor_name'])
    .where('subject_id', '=', testers)
    .where('actor_name', '=', 'Single sign-on')
    .orderBy('id')
    .execute()
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['team.members_added', 'team.members_removed'],
  )
})

test('keeps people who were added by hand, until the provider reports their group', async () => {
  const team = await createTeam('By hand', 'by-hand')
  const bo = await signIn('bo')
  await service.call('POST', `/workspace/teams/${team}/members`, { key, body: { user_ids: [bo] } })
  await signIn('bo', ['other'])
  assert.deepEqual(await teamsOf(bo), { 'By hand': 'manual' })
  await signIn('bo', ['by-hand'])
  assert.deepEqual(await teamsOf(bo), { 'By hand': 'sso' })
  await signIn('bo', [])
  assert.deepEqual(await teamsOf(bo), {})
})

test('keeps members whose group is no longer mapped', async () => {
  const team = await createTeam('Unmapped', 'unmapped')
  const cy = await signIn('cy', ['unmapped'])
  const updated = await service.call('PATCH', `/workspace/teams/${team}`, { key, body: { sso_group: '' } })
  assert.equal(updated.body.data.sso_group, null, updated.text)
  await signIn('cy', [])
  assert.deepEqual(await teamsOf(cy), { Unmapped: 'manual' })
})

test('ignores unusable groups and changes nothing if the whole claim is unusable', async () => {
  await createTeam('Hostile', 'hostile')
  const dee = await signIn('dee', ['hostile'])
  const unusable = ['hostile', 7, true, { 0: 'x' }, { length: 1 }, Array.from({ length: 10_000 }, String)]
  for (const groups of unusable) {
    await signIn('dee', groups)
    assert.deepEqual(await teamsOf(dee), { Hostile: 'sso' }, JSON.stringify(groups).slice(0, 100))
  }
  const odd = [null, 7, {}, ['hostile'], 'x'.repeat(100_000), 'hostile\0', '\ud800', '', ' ']
  await signIn('dee', [...odd, 'hostile', 'hostile', ' hostile '])
  assert.deepEqual(await teamsOf(dee), { Hostile: 'sso' })
  await signIn('dee', odd)
  assert.deepEqual(await teamsOf(dee), {})
})

test('keeps out a person whom the identity provider has deactivated', async () => {
  const tenant = { workspaceKey: key }
  const scim = await connectScim(service, tenant)
  await createTeam('Former', 'former')
  const id = await signIn('fay', ['former'])
  await scim.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' })
  assert.match(await redirectOf('fay', ['former']), /^\/sign-in\?error=NO_WORKSPACE/)
  assert.deepEqual(await teamsOf(id), {})
  await scim.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'True' })
  await signIn('fay', ['former'])
  assert.deepEqual(await teamsOf(id), { Former: 'sso' })
})

test('lets a person in whom SCIM created, without an invitation or an allowed domain', async () => {
  const scim = await connectScim(service, { workspaceKey: key })
  const { id } = await scim.succeed('POST', '/Users', { userName: 'gus@elsewhere.example' })
  assert.equal(await redirectOf('gus', [], 'gus@elsewhere.example'), '/')
  const accounts = await service.deps.db
    .selectFrom('accounts')
    .select('provider_id')
    .where('user_id', '=', id)
    .execute()
  assert.deepEqual(accounts, [{ provider_id: 'sso' }])
})

test('adds nobody to teams of a workspace to which they do not belong', async () => {
  const tenant = await service.tenant()
  const foreign = await insertTeam(service, tenant, { role: 'admin' })
  await service.deps.db
    .updateTable('teams')
    .set({ sso_group: 'everyone' })
    .where('id', '=', foreign)
    .execute()
  const eve = await signIn('eve', ['everyone'])
  assert.deepEqual(await teamsOf(eve), {})
})

test('lets only callers with every application scope map a team with the admin role', async () => {
  const { id: applicationId } = (
    await service.call('POST', '/applications', { key, body: { name: 'App', platforms: ['linux'] } })
  ).body.data
  const team = await createTeam('Admins', null)
  await service.call('PUT', `/applications/${applicationId}/teams/${team}`, { key, body: { role: 'admin' } })
  const weak = await service.key(service.workspaceId, null, ['members:write'])
  const refused = await service.call('PATCH', `/workspace/teams/${team}`, {
    key: weak,
    body: { sso_group: 'mine' },
  })
  assert.deepEqual([refused.status, refused.body.code], [403, 'member.full_key_required'])
})

test('never grants more than the roles of the mapped teams', async () => {
  const application = (
    await service.call('POST', '/applications', { key, body: { name: 'Granted', platforms: ['linux'] } })
  ).body.data.id
  const roles = ['readonly', 'qa', 'developer', 'admin'] as const
  for (const role of roles) {
    const team = await createTeam(`Role ${role}`, `role-${role}`)
    await service.call('PUT', `/applications/${application}/teams/${team}`, { key, body: { role } })
  }
  const person = await signIn('mapped', [])
  const groups = fc.uniqueArray(
    fc.oneof(
      fc.constantFrom(...roles.map((role) => `role-${role}`), ...roles, 'owner', 'admin', 'role-owner'),
      fc.string(),
    ),
  )
  await fc.assert(
    fc.asyncProperty(groups, async (names) => {
      await signIn('mapped', names)
      const highest = roles.findLast((role) => names.some((name) => name.trim() === `role-${role}`))
      const effective = await service.deps.db
        .selectFrom('effective_application_roles')
        .select(['application_id', 'role'])
        .where('user_id', '=', person)
        .execute()
      assert.deepEqual(
        effective,
        highest === undefined ? [] : [{ application_id: application, role: highest }],
      )
      const member = await service.deps.db
        .selectFrom('workspace_members')
        .select(['workspace_id', 'role'])
        .where('user_id', '=', person)
        .execute()
      assert.deepEqual(member, [{ workspace_id: service.workspaceId, role: 'member' }])
    }),
    { numRuns: 15 },
  )
})
