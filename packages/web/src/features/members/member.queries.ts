import { allItems } from '@quayside/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { applicationKey, workspaceKey } from '../../api/query-keys.ts'

/** Every member of the workspace, by name. */
export const workspaceMembersQuery = queryOptions({
  queryKey: workspaceKey('members'),
  queryFn: async ({ signal }) => {
    const members = await allItems((page) => api.listWorkspaceMembers({ page, per_page: 100 }, { signal }))
    return members.toSorted((a, b) => a.name.localeCompare(b.name))
  },
})

/** The members of an application, including those who inherit their role from the workspace. */
export const applicationMembersQuery = (applicationId: string) =>
  queryOptions({
    queryKey: applicationKey(applicationId, 'members'),
    queryFn: ({ signal }) =>
      allItems((page) =>
        api.listApplicationMembers(
          { application_id: applicationId, page, per_page: 100, sort_by: 'name', sort: 'asc' },
          { signal },
        ),
      ),
  })

/** Every invitation, newest first. */
export const invitationsQuery = queryOptions({
  queryKey: workspaceKey('invitations'),
  queryFn: async ({ signal }) => {
    const invitations = await allItems((page) => api.listInvitations({ page, per_page: 100 }, { signal }))
    return invitations.toSorted((a, b) => b.created_at.localeCompare(a.created_at))
  },
})

/** The names of the members who can reach the application, by user ID. */
export const memberNamesQuery = (applicationId: string) =>
  queryOptions({
    queryKey: applicationKey(applicationId, 'members', 'names'),
    queryFn: async ({ signal }) => {
      const { data } = await api.listApplicationMembers(
        { application_id: applicationId, per_page: 100 },
        { signal },
      )
      return data.map(({ id, name }) => [id, name] as const)
    },
    select: (names) => new Map(names),
  })
