import { allItems } from '@quayside/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
/** Every member of the workspace, by name. */
export const workspaceMembersQuery = queryOptions({
    queryKey: ['workspace', 'members'],
    queryFn: async ({ signal }) => {
        const members = await allItems((page) => api.listWorkspaceMembers({ page, per_page: 100 }, { signal }));
        return members.toSorted((a, b) => a.name.localeCompare(b.name));
    },
});
/** The members of an application, including those who inherit their role from the workspace. */
export const applicationMembersQuery = (applicationId) => queryOptions({
    queryKey: ['applications', applicationId, 'members'],
    queryFn: ({ signal }) => allItems((page) => api.listApplicationMembers({ application_id: applicationId, page, per_page: 100, sort_by: 'name', sort: 'asc' }, { signal })),
});
/** Every invitation, newest first. */
export const invitationsQuery = queryOptions({
    queryKey: ['workspace', 'invitations'],
    queryFn: async ({ signal }) => {
        const invitations = await allItems((page) => api.listInvitations({ page, per_page: 100 }, { signal }));
        return invitations.toSorted((a, b) => b.created_at.localeCompare(a.created_at));
    },
});
