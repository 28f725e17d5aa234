import type { Tx } from '../../database/transaction.ts'
import { recordEvent, type Initiator } from '../../events/record-event.ts'
import { assignApplicationRole, findLockedRole, insertApplicationMember } from './application-member.db.ts'
import { listGrantedApplications, markInvitationAccepted } from './invitation.db.ts'
import { grantedAccess, invitationGone, type InvitationRow } from './invitation.ts'
import type { WorkspaceMemberRow } from './member.ts'
import { recordTeamMembers } from './teams/record-team-members.ts'
import { listRolesOfTeams } from './teams/team-application.db.ts'
import { countTeamMembers, insertTeamMembers } from './teams/team-member.db.ts'
import { lockTeams } from './teams/team.db.ts'
import { maxMembers } from './teams/team.ts'
import { findOrInsertUser, insertWorkspaceMember, requireWorkspaceMember } from './workspace-member.db.ts'

type Invitation = {
  id: string
  email: string
  role: string
  workspace_id: string
  application_id: string | null
  applications: InvitationRow['applications']
  team_ids: string[]
  can_grant_admin: boolean
}
type Person = { name: string; address: string | null; isProven: boolean }

/** Accepts an invitation and returns the member. Throws `invitation.gone` if it is no longer open. */
export async function joinByInvitation(
  tx: Tx,
  invitation: Invitation,
  { name, address, isProven }: Person,
): Promise<WorkspaceMemberRow> {
  const { id, email, role, workspace_id: workspaceId, application_id: applicationId } = invitation
  if (!(await markInvitationAccepted(tx, id))) throw invitationGone()
  const userId = await findOrInsertUser(tx, { email, name, isProven })
  const workspaceRole = applicationId === null ? role : 'member'
  await insertWorkspaceMember(tx, { workspaceId, userId, name, role: workspaceRole })
  for (const granted of await listGrantedApplications(tx, invitation))
    await joinApplication(tx, { applicationId: granted.application_id, workspaceId }, userId, granted.role)
  const joined = await requireWorkspaceMember(tx, workspaceId, userId)
  const actor = { via: 'user' as const, id: userId, name: joined.name, workspaceId }
  const teams = await joinTeams(tx, { actor, address }, invitation, joined)
  await recordEvent(
    tx,
    { actor, address },
    {
      action: 'invitation.accepted',
      applicationId,
      subject: { type: 'invitation', id },
      after: { email, role, user_id: userId, ...grantedAccess(invitation, teams) },
    },
  )
  return joined
}

async function joinApplication(
  tx: Tx,
  owner: { applicationId: string; workspaceId: string },
  userId: string,
  role: string,
): Promise<void> {
  const currentRole = await findLockedRole(tx, owner.applicationId, userId)
  if (currentRole === undefined) await insertApplicationMember(tx, owner, userId, role)
  else await assignApplicationRole(tx, owner.applicationId, userId, role)
}

/**
 * Adds the person to the teams of the invitation and returns those joined. Leaves out teams that are full, and teams that
 * have since got the admin role in an application if the inviter could not grant it.
 */
async function joinTeams(
  tx: Tx,
  by: Initiator,
  { workspace_id: workspaceId, team_ids, can_grant_admin }: Invitation,
  { id: userId, email }: WorkspaceMemberRow,
): Promise<{ id: string; name: string }[]> {
  if (team_ids.length === 0) return []
  const teams = await lockTeams(tx, workspaceId, team_ids)
  const roles = await listRolesOfTeams(tx, team_ids)
  const joined: { id: string; name: string }[] = []
  for (const { id, name } of teams) {
    const applications = roles.filter(({ team_id }) => team_id === id).map(({ team_id: _, ...role }) => role)
    if (!can_grant_admin && applications.some(({ role }) => role === 'admin')) continue
    if ((await countTeamMembers(tx, id)) >= maxMembers) continue
    const added = await insertTeamMembers(tx, { teamId: id, workspaceId }, [userId])
    if (added.length === 0) continue
    joined.push({ id, name })
    const members = [email]
    await recordTeamMembers(tx, by, { team: { id, name }, change: 'added', members, applications })
  }
  return joined
}
