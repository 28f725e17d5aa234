import { Type } from 'typebox'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { one } from '../../../http/endpoint/responses.ts'
import { requireTeamOfPath } from './team.db.ts'
import { Team, TeamId } from './team.ts'

export const getTeam = endpoint({
  method: 'GET',
  path: '/workspace/teams/:team_id',
  scope: { workspace: 'members:read' },
  summary: 'Get a team',
  description: 'Returns the name and description of a team with the number of its members and applications.',
  params: Type.Object({ team_id: TeamId }),
  returns: one(Team),
  load: requireTeamOfPath,
  async handle({ team }) {
    return { message: 'Team retrieved.', data: team }
  },
})
