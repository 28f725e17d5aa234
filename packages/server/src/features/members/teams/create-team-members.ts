import { Type } from 'typebox'
import { requireUnrevokedCaller, roleChanged } from '../../../access/caller.db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { one } from '../../../http/endpoint/responses.ts'
import { applicationRoleProblems } from '../member.ts'
import { recordTeamMembers } from './record-team-members.ts'
import { listRolesOfTeam } from './team-application.db.ts'
import { countTeamMembers, insertTeamMembers, requireMemberEmails } from './team-member.db.ts'
import { requireLockedTeam, requireTeam, requireTeamOfPath } from './team.db.ts'
import { maxMembers, memberCount, requireTeamAuthority, Team, teamFull, TeamId, UserIds } from './team.ts'

export const createTeamMembers = endpoint({
  method: 'POST',
  path: '/workspace/teams/:team_id/members',
  scope: { workspace: 'members:write' },
  summary: 'Add team members',
  description: `The users must be members of the workspace, and get the roles that the team has in applications. Those who are already in the team stay in it. A team can have at most ${maxMembers.toLocaleString('en-US')} members. Only a key with every application scope can change a team that has the admin role in an application.`,
  params: Type.Object({ team_id: TeamId }),
  body: Type.Object({ user_ids: UserIds }),
  status: 201,
  refuses: [teamFull, roleChanged, ...applicationRoleProblems],
  returns: one(Team),
  load: requireTeamOfPath,
  async handle({ team: { id }, body: { user_ids: userIds }, ...call }) {
    const { workspaceId } = call.actor
    const { team, added } = await inTransaction(call.db, async (tx) => {
      await requireUnrevokedCaller(tx, call.actor)
      const { name } = await requireLockedTeam(tx, call.actor, id)
      const applications = await listRolesOfTeam(tx, id)
      requireTeamAuthority(call.actor, applications)
      const emails = await requireMemberEmails(tx, workspaceId, userIds)
      const added = await insertTeamMembers(tx, { teamId: id, workspaceId }, [...emails.keys()])
      if (added.length > 0) {
        if ((await countTeamMembers(tx, id)) > maxMembers) throw teamFull()
        const members = added.flatMap((userId) => emails.get(userId) ?? []).toSorted()
        await recordTeamMembers(tx, call, { team: { id, name }, change: 'added', members, applications })
      }
      return { team: await requireTeam(tx, call.actor, id), added }
    })
    return { message: `${memberCount(added.length)} added.`, data: team }
  },
})
