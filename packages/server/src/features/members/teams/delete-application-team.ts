import { Type } from 'typebox'
import { applicationRef, requireApplication } from '../../../access/application.db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { recordEvent } from '../../../events/record-event.ts'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../../http/endpoint/fields.ts'
import { Message } from '../../../http/endpoint/responses.ts'
import { applicationRoleProblems } from '../member.ts'
import { removeTeamApplication, requireApplicationTeam } from './team-application.db.ts'
import { listTeamEmails } from './team-member.db.ts'
import { requireLockedTeam } from './team.db.ts'
import { requireTeamAuthority, TeamId } from './team.ts'

export const deleteApplicationTeam = endpoint({
  method: 'DELETE',
  path: '/applications/:application_id/teams/:team_id',
  scope: { workspace: 'applications:write', application: 'members:write' },
  summary: 'Remove a team from an application',
  description:
    'The members of the team lose the access that they had only through it. Only a key with every application scope can remove a team that has the admin role.',
  params: Type.Object({ application_id: ApplicationId, team_id: TeamId }),
  refuses: applicationRoleProblems,
  returns: Message,
  async load({ db, actor, params }) {
    const owner = applicationRef(await requireApplication(db, actor, params.application_id))
    return { owner, team: await requireApplicationTeam(db, owner, params.team_id) }
  },
  async handle({ owner, team: { id }, ...call }) {
    const { applicationId } = owner
    await inTransaction(call.db, async (tx) => {
      await requireLockedTeam(tx, call.actor, id)
      const { name, role } = await requireApplicationTeam(tx, owner, id)
      requireTeamAuthority(call.actor, [{ application_id: applicationId, role }])
      const members = await listTeamEmails(tx, id)
      await removeTeamApplication(tx, applicationId, id)
      await recordEvent(tx, call, {
        action: 'team.application_removed',
        applicationId,
        subject: { type: 'team', id },
        before: { name, role, members },
      })
    })
    return { message: 'Team removed.' }
  },
})
