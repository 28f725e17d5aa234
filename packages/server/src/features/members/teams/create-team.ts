import { conflictsAs } from '../../../database/conflicts.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { recordEvent } from '../../../events/record-event.ts'
import { descriptionFrom } from '../../../http/endpoint/changes.ts'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { one } from '../../../http/endpoint/responses.ts'
import { insertTeam, requireTeam } from './team.db.ts'
import { nameTaken, NewTeam, Team, teamAuditSnapshot } from './team.ts'

export const createTeam = endpoint({
  method: 'POST',
  path: '/workspace/teams',
  scope: { workspace: 'members:write' },
  summary: 'Create a team',
  description: 'The team has no members and no role in any application yet.',
  body: NewTeam,
  status: 201,
  refuses: [nameTaken],
  returns: one(Team),
  async handle({ body, ...call }) {
    const fields = {
      name: body.name.trim(),
      description: descriptionFrom(body.description),
      sso_group: descriptionFrom(body.sso_group),
    }
    const team = await conflictsAs({ teams_name: nameTaken }, () =>
      inTransaction(call.db, async (tx) => {
        const id = await insertTeam(tx, call.actor.workspaceId, fields)
        const row = await requireTeam(tx, call.actor, id)
        await recordEvent(tx, call, {
          action: 'team.created',
          applicationId: null,
          subject: { type: 'team', id: row.id },
          after: teamAuditSnapshot(row),
        })
        return row
      }),
    )
    return { message: 'Team created.', data: team }
  },
})
