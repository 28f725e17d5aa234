import { allItems, type Team } from '@quayside/sdk'
import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { pageByPage } from '../../../api/next-page.ts'
import { applicationKey, inEveryOwner, workspaceKey } from '../../../api/query-keys.ts'

const perPage = 100

/** Every team of the workspace, by name. */
export const teamsQuery = queryOptions({
  queryKey: workspaceKey('teams', 'list'),
  queryFn: ({ signal }) => allItems((page) => api.listTeams({ page, per_page: perPage }, { signal })),
})

export const teamQuery = (teamId: string) =>
  queryOptions({
    queryKey: workspaceKey('teams', 'one', teamId, 'team'),
    queryFn: async ({ signal }) => (await api.getTeam({ team_id: teamId }, { signal })).data,
  })

export const teamMembersQuery = (teamId: string, search: string) =>
  infiniteQueryOptions({
    queryKey: workspaceKey('teams', 'one', teamId, 'members', search),
    queryFn: ({ signal, pageParam: page }) =>
      api.listTeamMembers(
        { team_id: teamId, ...(search === '' ? {} : { search }), page, per_page: perPage },
        { signal },
      ),
    ...pageByPage,
  })

/** The IDs of everyone in the team. */
export const teamMemberIdsQuery = (teamId: string) =>
  queryOptions({
    queryKey: workspaceKey('teams', 'one', teamId, 'member-ids'),
    queryFn: async ({ signal }) => {
      const members = await allItems((page) =>
        api.listTeamMembers({ team_id: teamId, page, per_page: perPage }, { signal }),
      )
      return members.map(({ id }) => id)
    },
  })

/** The applications in which the team has a role, by name. */
export const teamApplicationsQuery = (teamId: string) =>
  queryOptions({
    queryKey: workspaceKey('teams', 'one', teamId, 'applications'),
    queryFn: ({ signal }) =>
      allItems((page) => api.listTeamApplications({ team_id: teamId, page, per_page: perPage }, { signal })),
  })

/** The teams that have a role in the application, by name. */
export const applicationTeamsQuery = (applicationId: string) =>
  queryOptions({
    queryKey: applicationKey(applicationId, 'teams'),
    queryFn: ({ signal }) =>
      allItems((page) =>
        api.listApplicationTeams({ application_id: applicationId, page, per_page: perPage }, { signal }),
      ),
  })

/** Reloads the teams, and the members of applications, whose roles depend on them. */
export async function reloadTeams(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ predicate: inEveryOwner('teams') }),
    queryClient.invalidateQueries({ predicate: inEveryOwner('members') }),
  ])
}

/** Shows a changed team at once and reloads what depends on it. */
export async function teamChanged(queryClient: QueryClient, team: Team): Promise<void> {
  queryClient.setQueryData(teamQuery(team.id).queryKey, team)
  await reloadTeams(queryClient)
}
