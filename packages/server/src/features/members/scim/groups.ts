import type { Tx } from '../../../database/transaction.ts'
import { recordEvent } from '../../../events/record-event.ts'
import { recordTeamMembers } from '../teams/record-team-members.ts'
import { listRolesOfTeam } from '../teams/team-application.db.ts'
import {
  countTeamMembers,
  deleteTeamMembers,
  insertTeamMembers,
  listTeamEmails,
} from '../teams/team-member.db.ts'
import { insertTeam, lockTeams, removeTeam, saveTeam, type TeamRow } from '../teams/team.db.ts'
import { maxMembers, teamAuditSnapshot } from '../teams/team.ts'
import type { Provisioner } from './provisioning.ts'
import type { GroupFields } from './resources.ts'
import { invalidValue, notUnique, resourceNotFound, type ScimError } from './scim-error.ts'
import {
  assignScimSource,
  changeHeldTeam,
  findScimGroup,
  hasSameGroup,
  listKnownPeople,
  type ScimGroupRow,
} from './scim-group.db.ts'
import { clearHeldTeams, findScimUser } from './scim-user.db.ts'

/** Creates a team, which has no role in any application before someone gives it one. */
export async function createGroup(tx: Tx, by: Provisioner, fields: GroupFields): Promise<ScimGroupRow> {
  const { workspaceId } = by.actor
  const { displayName, externalId } = fields
  if (await hasSameGroup(tx, workspaceId, { id: null, displayName, externalId })) throw taken()
  const team = await insertTeam(tx, workspaceId, {
    name: displayName,
    description: null,
    sso_group: null,
    external_id: externalId,
  })
  await recordEvent(tx, by, {
    action: 'team.created',
    applicationId: null,
    subject: { type: 'team', id: team },
    after: teamAuditSnapshot({ name: displayName, description: null, sso_group: null }),
  })
  await changeMembers(tx, by, await requireGroup(tx, by, team), fields.memberIds)
  return requireGroup(tx, by, team)
}

/** Renames the team and makes the listed people its only members. */
export async function replaceGroup(
  tx: Tx,
  by: Provisioner,
  before: ScimGroupRow,
  fields: GroupFields,
): Promise<ScimGroupRow> {
  const { id } = before
  const { displayName, externalId } = fields
  if (await hasSameGroup(tx, by.actor.workspaceId, { id, displayName, externalId })) throw taken()
  if (displayName !== before.name || externalId !== before.external_id)
    await saveTeam(tx, id, { name: displayName, external_id: externalId })
  await recordEvent(tx, by, {
    action: 'team.updated',
    applicationId: null,
    subject: { type: 'team', id },
    before: { name: before.name },
    after: { name: displayName },
  })
  await changeMembers(tx, by, { ...before, name: displayName }, fields.memberIds)
  return requireGroup(tx, by, id)
}

/** Deletes the team. Its members stay in the workspace. */
export async function deleteGroup(tx: Tx, by: Provisioner, id: string): Promise<void> {
  const { name } = await requireLockedGroup(tx, by, id)
  const before = {
    name,
    members: await listTeamEmails(tx, id),
    applications: await listRolesOfTeam(tx, id),
  }
  await removeTeam(tx, id)
  await recordEvent(tx, by, {
    action: 'team.deleted',
    applicationId: null,
    subject: { type: 'team', id },
    before,
  })
}

/** Locks the team until the end of the transaction and returns it. */
export async function requireLockedGroup(tx: Tx, by: Provisioner, id: string): Promise<ScimGroupRow> {
  await lockTeams(tx, by.actor.workspaceId, [id])
  return requireGroup(tx, by, id)
}

async function requireGroup(tx: Tx, by: Provisioner, id: string): Promise<ScimGroupRow> {
  const row = await findScimGroup(tx, by.actor.workspaceId, id)
  if (row === undefined) throw resourceNotFound('Group', id)
  return row
}

const taken = (): ScimError => notUnique('Another group has this `displayName` or `externalId`.')

async function changeMembers(
  tx: Tx,
  by: Provisioner,
  { id, name, members }: ScimGroupRow,
  memberIds: readonly string[],
): Promise<void> {
  const { workspaceId } = by.actor
  if (memberIds.length > maxMembers) throw invalidValue(`A group can have at most ${maxMembers} members.`)
  const current = new Set(members.map(({ value }) => value))
  const wanted = new Set(memberIds)
  const [added, removed] = [[...wanted.difference(current)], [...current.difference(wanted)]]
  const people = await listKnownPeople(tx, workspaceId, [...wanted.union(current)])
  const unknown = added.find((userId) => !people.has(userId))
  if (unknown !== undefined) throw invalidValue(`User ${unknown.slice(0, 100)} does not exist.`)
  const isActive = (userId: string) => people.get(userId)?.isActive === true
  const inactive = (ids: readonly string[]) => ids.filter((userId) => !isActive(userId))
  const joining = await insertTeamMembers(
    tx,
    { teamId: id, workspaceId, source: 'scim' },
    added.filter(isActive),
  )
  await assignScimSource(tx, id, memberIds.filter(isActive))
  const left = await deleteTeamMembers(tx, id, removed.filter(isActive))
  await changeHeldTeam(
    tx,
    { workspaceId, teamId: id },
    { added: inactive(added), removed: inactive(removed) },
  )
  const joined = joining.flatMap((userId) => people.get(userId)?.email ?? []).toSorted()
  await recordMembers(tx, by, { id, name }, { joined, left })
}

async function recordMembers(
  tx: Tx,
  by: Provisioner,
  team: Pick<TeamRow, 'id' | 'name'>,
  { joined, left }: { joined: readonly string[]; left: readonly string[] },
): Promise<void> {
  const applications = joined.length + left.length > 0 ? await listRolesOfTeam(tx, team.id) : []
  await recordTeamMembers(tx, by, { team, change: 'removed', members: left, applications })
  await recordTeamMembers(tx, by, { team, change: 'added', members: joined, applications })
}

/** Adds a person who has been activated to the teams that the identity provider assigned. Leaves out teams that are full. */
export async function rejoinHeldTeams(tx: Tx, by: Provisioner, userId: string): Promise<void> {
  const { workspaceId } = by.actor
  const person = await findScimUser(tx, workspaceId, userId)
  if (person === undefined || person.held_team_ids.length === 0) return
  for (const team of await lockTeams(tx, workspaceId, person.held_team_ids)) {
    if ((await countTeamMembers(tx, team.id)) >= maxMembers) continue
    await insertTeamMembers(tx, { teamId: team.id, workspaceId, source: 'scim' }, [userId])
    await recordMembers(tx, by, team, { joined: [person.email], left: [] })
  }
  await clearHeldTeams(tx, workspaceId, userId)
}
