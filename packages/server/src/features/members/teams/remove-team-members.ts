import { Type } from 'typebox'
import { inTransaction } from '../../../database/transaction.ts'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { one } from '../../../http/endpoint/responses.ts'
import { applicationRoleProblems } from '../member.ts'
import { recordTeamMembers } from './record-team-members.ts'
import { listRolesOfTeam } from './team-application.db.ts'
import { deleteTeamMembers, requireMemberEmails } from './team-member.db.ts'
import { requireLockedTeam, requireTeam, requireTeamOfPath } from './team.db.ts'
import { memberCount, requireTeamAuthority, Team, TeamId, UserIds } from './team.ts'

export const removeTeamMembers = endpoint({
  method: 'POST',
  path: '/workspace/teams/:team_id/members/remove',
  scope: { workspace: 'members:write' },
  summary: 'Remove team members',
  description:
    'The users stay in the workspace and lose the access that they had only through the team. Those who are not in the team are ignored. Only a key with every application scope can change a team that has the admin role in an application.',
  params: Type.Object({ team_id: TeamId }),
  body: Type.Object({ user_ids: UserIds }),
  refuses: applicationRoleProblems,
  returns: one(Team),
  load: requireTeamOfPath,
  async handle({ team: { id }, body: { user_ids: userIds }, ...call }) {
    const { team, members } = await inTransaction(call.db, async (tx) => {
      const { name } = await requireLockedTeam(tx, call.actor, id)
      const applications = await listRolesOfTeam(tx, id)
      requireTeamAuthority(call.actor, applications)
      await requireMemberEmails(tx, call.actor.workspaceId, userIds)
      const members = await deleteTeamMembers(tx, id, userIds)
      await recordTeamMembers(tx, call, { team: { id, name }, change: 'removed', members, applications })
      return { team: await requireTeam(tx, call.actor, id), members }
    })
    return { message: `${memberCount(members.length)} removed.`, data: team }
  },
})
