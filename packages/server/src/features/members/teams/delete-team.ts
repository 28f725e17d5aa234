import { Type } from 'typebox'
import { inTransaction } from '../../../database/transaction.ts'
import { recordEvent } from '../../../events/record-event.ts'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { Message } from '../../../http/endpoint/responses.ts'
import { applicationRoleProblems } from '../member.ts'
import { listRolesOfTeam } from './team-application.db.ts'
import { listTeamEmails } from './team-member.db.ts'
import { removeTeam, requireLockedTeam, requireTeamOfPath } from './team.db.ts'
import { requireTeamAuthority, teamAuditSnapshot, TeamId } from './team.ts'

export const deleteTeam = endpoint({
  method: 'DELETE',
  path: '/workspace/teams/:team_id',
  scope: { workspace: 'members:write' },
  summary: 'Delete a team',
  description:
    'The members stay in the workspace and lose the access that they had only through the team. Only a key with every application scope can delete a team that has the admin role in an application.',
  params: Type.Object({ team_id: TeamId }),
  refuses: applicationRoleProblems,
  returns: Message,
  load: requireTeamOfPath,
  async handle({ team: { id }, ...call }) {
    await inTransaction(call.db, async (tx) => {
      const before = await requireLockedTeam(tx, call.actor, id)
      const applications = await listRolesOfTeam(tx, id)
      requireTeamAuthority(call.actor, applications)
      const members = await listTeamEmails(tx, id)
      await removeTeam(tx, id)
      await recordEvent(tx, call, {
        action: 'team.deleted',
        applicationId: null,
        subject: { type: 'team', id },
        before: { ...teamAuditSnapshot(before), members, applications },
      })
    })
    return { message: 'Team deleted.' }
  },
})
