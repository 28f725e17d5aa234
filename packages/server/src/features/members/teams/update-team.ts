import { Type } from 'typebox'
import { conflictsAs } from '../../../database/conflicts.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { recordEvent } from '../../../events/record-event.ts'
import { givenChanges } from '../../../http/endpoint/changes.ts'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { one } from '../../../http/endpoint/responses.ts'
import { applicationRoleProblems } from '../member.ts'
import { listRolesOfTeam } from './team-application.db.ts'
import { keepSsoMembers } from './team-member.db.ts'
import { requireLockedTeam, requireTeam, requireTeamOfPath, saveTeam } from './team.db.ts'
import { nameTaken, requireTeamAuthority, Team, teamAuditSnapshot, TeamChanges, TeamId } from './team.ts'

export const updateTeam = endpoint({
  method: 'PATCH',
  path: '/workspace/teams/:team_id',
  scope: { workspace: 'members:write' },
  summary: 'Update a team',
  description:
    'Changes the name, description or group of the identity provider. Members and roles in applications stay; without `sso_group`, members that the identity provider added count as added by hand. Only a key with every application scope can change `sso_group` of a team that has the admin role in an application.',
  params: Type.Object({ team_id: TeamId }),
  body: TeamChanges,
  refuses: [nameTaken, ...applicationRoleProblems],
  returns: one(Team),
  load: requireTeamOfPath,
  async handle({ team: { id }, body, ...call }) {
    const changes = givenChanges(TeamChanges, body)
    const team = await conflictsAs({ teams_name: nameTaken }, () =>
      inTransaction(call.db, async (tx) => {
        const before = await requireLockedTeam(tx, call.actor, id)
        if (changes.sso_group !== undefined && changes.sso_group !== before.sso_group) {
          requireTeamAuthority(call.actor, await listRolesOfTeam(tx, id))
          if (changes.sso_group === null) await keepSsoMembers(tx, id)
        }
        await saveTeam(tx, id, changes)
        const saved = await requireTeam(tx, call.actor, id)
        await recordEvent(tx, call, {
          action: 'team.updated',
          applicationId: null,
          subject: { type: 'team', id },
          before: teamAuditSnapshot(before),
          after: teamAuditSnapshot(saved),
        })
        return saved
      }),
    )
    return { message: 'Team updated.', data: team }
  },
})
