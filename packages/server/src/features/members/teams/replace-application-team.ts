import { Type } from 'typebox'
import { applicationRef, requireApplication } from '../../../access/application.db.ts'
import { requireUnrevokedCaller, roleChanged } from '../../../access/caller.db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { recordEvent } from '../../../events/record-event.ts'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../../http/endpoint/fields.ts'
import { one } from '../../../http/endpoint/responses.ts'
import { ApplicationRole, applicationRoleProblems } from '../member.ts'
import { listRolesOfTeam, requireApplicationTeam, saveTeamApplication } from './team-application.db.ts'
import { listTeamEmails } from './team-member.db.ts'
import { requireLockedTeam, requireTeam } from './team.db.ts'
import { ApplicationTeam, requireTeamAuthority, TeamId } from './team.ts'

export const replaceApplicationTeam = endpoint({
  method: 'PUT',
  path: '/applications/:application_id/teams/:team_id',
  scope: { workspace: 'applications:write', application: 'members:write' },
  summary: "Set a team's application role",
  description:
    'Gives the members of the team the role in the application, or changes it. A person has the highest of all their roles. Only a key with every application scope can grant or revoke the admin role.',
  params: Type.Object({ application_id: ApplicationId, team_id: TeamId }),
  body: Type.Object({ role: ApplicationRole }),
  refuses: [roleChanged, ...applicationRoleProblems],
  returns: one(ApplicationTeam),
  async load({ db, actor, params }) {
    const application = await requireApplication(db, actor, params.application_id)
    return { owner: applicationRef(application), team: await requireTeam(db, actor, params.team_id) }
  },
  async handle({ owner, team: { id }, body: { role }, ...call }) {
    const { applicationId } = owner
    const data = await inTransaction(call.db, async (tx) => {
      await requireUnrevokedCaller(tx, call.actor)
      const { name } = await requireLockedTeam(tx, call.actor, id)
      const roles = await listRolesOfTeam(tx, id)
      const before = roles.find((each) => each.application_id === applicationId)
      requireTeamAuthority(call.actor, [
        { application_id: applicationId, role },
        ...(before === undefined ? [] : [before]),
      ])
      await saveTeamApplication(tx, owner, id, role)
      const members = await listTeamEmails(tx, id)
      await recordEvent(tx, call, {
        action: 'team.application_changed',
        applicationId,
        subject: { type: 'team', id },
        ...(before === undefined ? {} : { before: { name, role: before.role, members } }),
        after: { name, role, members },
      })
      return requireApplicationTeam(tx, owner, id)
    })
    return { message: 'Team role set.', data }
  },
})
