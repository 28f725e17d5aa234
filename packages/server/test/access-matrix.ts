import assert from 'node:assert/strict'
import { createRandom, type Random } from '../../../scripts/demo/random.ts'
import { listMentionableMembers } from '../src/features/notifications/notification-match.db.ts'
import { applicationRoles, type ApplicationRole } from '../src/http/endpoint/roles.ts'
import type { Service, Tenant } from './harness.ts'
import { insertMember } from './people.ts'

type Workspace = { service: Service; tenant: Tenant; applications: string[]; people: string[] }

/** What the oracle knows: the roles that were given, from which it derives those that people have. */
type State = {
  /** The workspace role of each person who belongs to the workspace. */
  workspace: Map<string, string>
  /** The roles that people were given in applications, by application and person. */
  direct: Map<string, ApplicationRole>
  teams: Map<string, { members: Set<string>; roles: Map<string, ApplicationRole> }>
  trashed: Set<string>
}

const at = (applicationId: string, userId: string) => `${applicationId} ${userId}`

/** Returns the role of the person in the application, by the rules in docs/roles.md. */
function roleOf(state: State, applicationId: string, userId: string): ApplicationRole | undefined {
  const workspaceRole = state.workspace.get(userId)
  if (workspaceRole === undefined) return undefined
  const inTeams = [...state.teams.values()]
    .filter(({ members }) => members.has(userId))
    .map(({ roles }) => roles.get(applicationId))
  const given = new Set([
    workspaceRole === 'member' ? undefined : 'admin',
    state.direct.get(at(applicationId, userId)),
    ...inTeams,
  ])
  return applicationRoles.find((role) => given.has(role))
}

/** Creates a workspace with three applications and four people, in which sequences run one after another. */
export async function createMatrix(service: Service): Promise<Workspace> {
  const tenant = await service.tenant()
  const applications = [tenant.applicationId]
  for (const name of ['Second', 'Third']) {
    const body = { name, platforms: ['linux'] }
    const created = await service.call('POST', '/applications', { key: tenant.workspaceKey, body })
    applications.push(created.body.data.id as string)
  }
  const people = await Promise.all([0, 1, 2, 3].map(() => insertMember(service, tenant)))
  return { service, tenant, applications, people }
}

/** Changes roles and teams at random, and compares what people can access with the oracle. */
export async function runSequence(workspace: Workspace, seed: string, steps: number): Promise<void> {
  const random = createRandom(seed)
  const state = await resetState(workspace)
  const log: string[] = []
  const call = async (method: string, path: string, body?: object) => {
    log.push(`${method} ${path} ${JSON.stringify(body ?? {})}`)
    const options = { key: workspace.tenant.workspaceKey, ...(body === undefined ? {} : { body }) }
    const response = await workspace.service.call(method, path, options)
    assert.ok(response.status < 300, `seed ${seed}: ${response.text}\n${log.join('\n')}`)
    return response.body.data as { id: string }
  }
  for (let step = 0; step < steps; step++) {
    await changeSomething(workspace, { state, random, call })
    assert.deepEqual(
      await listRoles(workspace),
      expectedRoles(workspace, state),
      `seed ${seed}, after\n${log.join('\n')}`,
    )
  }
  await compareResponses(workspace, state, `seed ${seed}, after\n${log.join('\n')}`)
}

async function resetState({ service, tenant, applications, people }: Workspace): Promise<State> {
  const { db } = service.deps
  const { workspaceId } = tenant
  await db.deleteFrom('teams').where('workspace_id', '=', workspaceId).execute()
  await db.deleteFrom('application_members').where('workspace_id', '=', workspaceId).execute()
  await db.updateTable('applications').set({ deleted_at: null }).where('id', 'in', applications).execute()
  for (const userId of people) await join(service, tenant, userId)
  return {
    workspace: new Map(people.map((id) => [id, 'member'])),
    direct: new Map(),
    teams: new Map(),
    trashed: new Set(),
  }
}

/** Makes the person a member of the workspace, as accepting an invitation does. */
async function join({ deps: { db } }: Service, { workspaceId }: Tenant, userId: string): Promise<void> {
  await db
    .insertInto('workspace_members')
    .values({ workspace_id: workspaceId, user_id: userId, name: 'Ada', role: 'member' })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'user_id']).doUpdateSet({ role: 'member' }))
    .execute()
}

type Step = {
  state: State
  random: Random
  call: (method: string, path: string, body?: object) => Promise<{ id: string }>
}

async function changeSomething(workspace: Workspace, step: Step): Promise<void> {
  const { random, state } = step
  if (state.teams.size === 0) return createTeam(step)
  const kinds = [createTeam, changeTeam, changeTeam, changeTeam, changeTeam, changeMember, changeMember]
  const change = random.pick([...kinds, changePerson, changeApplication])
  await change(step, workspace)
}

async function createTeam({ state, call }: Step): Promise<void> {
  const { id } = await call('POST', '/workspace/teams', { name: `Team ${state.teams.size}.${Date.now()}` })
  state.teams.set(id, { members: new Set(), roles: new Map() })
}

async function changeTeam({ state, random, call }: Step, workspace: Workspace): Promise<void> {
  const [id, team] = random.pick([...state.teams])
  const people = workspace.people.filter((person) => state.workspace.has(person))
  const chosen = people.filter(() => random.chance(0.5))
  const applicationId = random.pick(workspace.applications)
  const path = `/applications/${applicationId}/teams/${id}`
  const kind = random.pick(['add', 'add', 'remove', 'set', 'set', 'unset', 'delete'])
  if (kind === 'add' && chosen.length > 0) {
    await call('POST', `/workspace/teams/${id}/members`, { user_ids: chosen })
    for (const person of chosen) team.members.add(person)
  } else if (kind === 'remove' && chosen.length > 0) {
    await call('POST', `/workspace/teams/${id}/members/remove`, { user_ids: chosen })
    for (const person of chosen) team.members.delete(person)
  } else if (kind === 'set' && !state.trashed.has(applicationId)) {
    const role = random.pick(applicationRoles)
    await call('PUT', path, { role })
    team.roles.set(applicationId, role)
  } else if (kind === 'unset' && team.roles.has(applicationId) && !state.trashed.has(applicationId)) {
    await call('DELETE', path)
    team.roles.delete(applicationId)
  } else if (kind === 'delete' && random.chance(0.5)) {
    await call('DELETE', `/workspace/teams/${id}`)
    state.teams.delete(id)
  }
}

async function changeMember({ state, random, call }: Step, workspace: Workspace): Promise<void> {
  const applicationId = random.pick(workspace.applications)
  const person = random.pick(workspace.people)
  if (state.trashed.has(applicationId) || !state.workspace.has(person)) return
  const key = at(applicationId, person)
  const path = `/applications/${applicationId}/members`
  const role = random.pick(applicationRoles)
  if (!state.direct.has(key)) await call('POST', path, { user_id: person, role })
  else if (random.chance(0.5)) await call('PATCH', `${path}/${person}`, { role })
  else {
    await call('DELETE', `${path}/${person}`)
    state.direct.delete(key)
    return
  }
  state.direct.set(key, role)
}

async function changePerson({ state, random, call }: Step, workspace: Workspace): Promise<void> {
  const person = random.pick(workspace.people)
  const path = `/workspace/members/${person}`
  if (!state.workspace.has(person)) {
    await join(workspace.service, workspace.tenant, person)
    state.workspace.set(person, 'member')
  } else if (random.chance(0.6)) {
    const role = random.pick(['admin', 'member'])
    await call('PATCH', path, { role })
    state.workspace.set(person, role)
  } else {
    await call('DELETE', path)
    state.workspace.delete(person)
    for (const team of state.teams.values()) team.members.delete(person)
    for (const application of workspace.applications) state.direct.delete(at(application, person))
  }
}

async function changeApplication({ state, random, call }: Step, workspace: Workspace): Promise<void> {
  const id = random.pick(workspace.applications)
  if (state.trashed.delete(id)) await call('POST', `/applications/${id}/restore`)
  else {
    await call('DELETE', `/applications/${id}`)
    state.trashed.add(id)
  }
}

/** Returns the roles of the people by application and person. */
async function listRoles({ service, tenant, people }: Workspace): Promise<Record<string, string>> {
  const rows = await service.deps.db
    .selectFrom('effective_application_roles')
    .selectAll()
    .where('workspace_id', '=', tenant.workspaceId)
    .where('user_id', 'in', people)
    .execute()
  return Object.fromEntries(
    inOrder(rows.map((row) => [at(row.application_id ?? '', row.user_id ?? ''), row.role ?? ''])),
  )
}

function expectedRoles({ applications, people }: Workspace, state: State): Record<string, string> {
  return Object.fromEntries(
    inOrder(
      applications.flatMap((applicationId) =>
        people.map((person) => [at(applicationId, person), roleOf(state, applicationId, person) ?? '']),
      ),
    ).filter(([, role]) => role !== ''),
  )
}

type Entry = readonly [id: string, role: string]

const inOrder = (entries: readonly (readonly string[])[]): Entry[] =>
  entries
    .map(([id = '', role = '']): Entry => [id, role])
    .toSorted(([one], [other]) => (one < other ? -1 : 1))

type Listed = { id: string; role: string; resolved_role: string }[]

/** Compares what the API returns to the people, and returns about them, with the oracle. */
async function compareResponses(workspace: Workspace, state: State, message: string): Promise<void> {
  const applications = workspace.applications.filter((id) => !state.trashed.has(id))
  for (const person of workspace.people.filter((each) => state.workspace.has(each)))
    await comparePerson(workspace, state, { person, applications, message })
  for (const applicationId of applications) await compareMembers(workspace, state, { applicationId, message })
}

type OfPerson = { person: string; applications: readonly string[]; message: string }

async function comparePerson(
  { service, tenant, ...workspace }: Workspace,
  state: State,
  { person, applications, message }: OfPerson,
): Promise<void> {
  const key = await service.signIn(person, tenant.workspaceId)
  const get = async (path: string) => service.call('GET', path, { key })
  const expected = inOrder(applications.map((id) => [id, roleOf(state, id, person) ?? ''])).filter(
    ([, role]) => role !== '',
  )
  const reached = expected.map(([id]) => id)
  const session = (await get('/session')).body.data as { applications: Listed | null }
  const isMember = state.workspace.get(person) === 'member'
  const roles =
    session.applications === null ? null : inOrder(session.applications.map(({ id, role }) => [id, role]))
  assert.deepEqual(roles, isMember ? expected : null, message)
  const listed = (await get('/applications?per_page=100')).body.data as Listed
  assert.deepEqual(listed.map(({ id }) => id).toSorted(), reached, message)
  for (const id of workspace.applications) {
    const { status } = await get(`/applications/${id}`)
    assert.equal(status, reached.includes(id) ? 200 : 404, message)
  }
}

async function compareMembers(
  { service, tenant, people }: Workspace,
  state: State,
  { applicationId, message }: { applicationId: string; message: string },
): Promise<void> {
  const path = `/applications/${applicationId}/members?per_page=100`
  const response = await service.call('GET', path, { key: tenant.workspaceKey })
  const listed = response.body.data as Listed
  const expected = inOrder(people.map((id) => [id, roleOf(state, applicationId, id) ?? ''])).filter(
    ([, role]) => role !== '',
  )
  assert.deepEqual(inOrder(listed.map((row) => [row.id, row.resolved_role])), expected, message)
  const subject = { applicationId, workspaceId: tenant.workspaceId }
  const mentionable = await service.deps.db.transaction().execute((tx) => listMentionableMembers(tx, subject))
  assert.deepEqual(
    mentionable.map(({ id }) => id).toSorted(),
    expected.map(([id]) => id),
    message,
  )
}
