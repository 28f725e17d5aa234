import type { ApplicationTeam } from '@quayside/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { teamText } from '../../../text/members/teams.ts'
import { showUndo } from '../../../ui/toast.tsx'
import { reloadTeams } from './team.queries.ts'

export type Role = ApplicationTeam['role']

type TeamName = { id: string; name: string }
type Change = { applicationId: string; team: TeamName; before: Role; role: Role }
type Removal = { applicationId: string; application: string; team: TeamName; role: Role }

/** Returns functions that change the roles of teams in applications and offer to take that back. */
export function useTeamRoles() {
  const queryClient = useQueryClient()
  const refresh = () => reloadTeams(queryClient)
  const put = (applicationId: string, teamId: string, role: Role) =>
    api.replaceApplicationTeam({ application_id: applicationId, team_id: teamId, body: { role } })
  const undo = (action: () => Promise<unknown>) => () => action().finally(refresh)
  return {
    async save(applicationId: string, teamId: string, role: Role): Promise<void> {
      await put(applicationId, teamId, role)
      await refresh()
    },
    async change({ applicationId, team, before, role }: Change): Promise<void> {
      await put(applicationId, team.id, role)
      showUndo(
        teamText.roleChanged(team.name, role),
        undo(() => put(applicationId, team.id, before)),
      )
      await refresh()
    },
    async remove({ applicationId, application, team, role }: Removal): Promise<void> {
      await api.deleteApplicationTeam({ application_id: applicationId, team_id: team.id })
      showUndo(
        teamText.removed(team.name, application),
        undo(() => put(applicationId, team.id, role)),
      )
      await refresh()
    },
  }
}
