import { byId, named, uuid } from './row-columns.ts'
import type { Copies } from './row-copies.ts'

/** The rows to copy for the lists of teams and of requests for access. */
export const teamLists: Record<string, Copies[]> = {
  listAccessRequests: [
    {
      table: 'users',
      source: byId('user_id'),
      columns: (tag) => ({ id: `q${tag}`, email: `${tag}@example.net` }),
    },
    {
      table: 'workspace_members',
      source: ({ ids }) => ({ user_id: ids['user_id']! }),
      columns: (tag) => ({ user_id: `q${tag}` }),
    },
    {
      table: 'access_requests',
      source: byId('access_request_id'),
      columns: (tag) => ({ ...uuid(), user_id: `q${tag}` }),
    },
  ],
  listTeams: [{ table: 'teams', source: byId('team_id'), columns: named }],
  listTeamMembers: [
    {
      table: 'users',
      source: byId('user_id'),
      columns: (tag) => ({ id: `u${tag}`, email: `${tag}@example.org` }),
    },
    {
      table: 'workspace_members',
      source: ({ ids }) => ({ user_id: ids['user_id']! }),
      columns: (tag) => ({ user_id: `u${tag}` }),
    },
    {
      table: 'team_members',
      source: ({ ids }) => ({ team_id: ids['team_id']! }),
      columns: (tag) => ({ user_id: `u${tag}` }),
    },
  ],
  listTeamApplications: [
    {
      table: 'applications',
      source: byId('application_id'),
      columns: (tag) => ({ id: `o${tag}`, name: `name ${tag}` }),
    },
    {
      table: 'team_applications',
      source: ({ ids }) => ({ team_id: ids['team_id']! }),
      columns: (tag) => ({ application_id: `o${tag}` }),
    },
  ],
  listApplicationTeams: [
    {
      table: 'teams',
      source: byId('team_id'),
      columns: (tag) => ({ id: `g${tag}`, name: `group ${tag}` }),
    },
    {
      table: 'team_applications',
      source: ({ ids }) => ({ team_id: ids['team_id']!, application_id: ids['application_id']! }),
      columns: (tag) => ({ team_id: `g${tag}` }),
    },
  ],
}
