import { plural } from '../../ui/format/bytes.ts'
import { listOf } from '../../ui/format/list.ts'
import { roleLabel } from './members.ts'

/** The sentences about teams. */
export const teamText = {
  ofWorkspace:
    'A team gives its members a role in each of its applications. If a person has several roles, the highest applies.',
  empty:
    'Give many people a role in many applications at once. Whoever joins or leaves the team gains or loses access.',
  emptyForMembers: 'Teams give many people a role in many applications. Workspace admins create them.',
  noMembers: 'People you add get the roles of the team within a second.',
  noMatch: 'No member matches this search.',
  noApplications: 'Give the team a role in an application, and its members can open it.',
  noReachableApplications: 'The team has no role in an application that you can open.',
  ofApplication: 'Everyone in these teams can open the application.',
  noTeamsToAdd: 'Every team already has a role in this application.',
  everyoneIsMember: 'Every workspace member is already in this team.',
  everyApplication: 'The team already has a role in every application.',
  selectPeople: 'Select at least one person.',
  selectApplication: 'Select an application.',
  selectTeam: 'Select a team.',
  deleted: 'Team deleted.',
  deleteTitle: (name: string) => `Delete ${name}?`,
  delete: 'Its members stay in the workspace. They lose the access that they only have through this team.',
  membersAdded: (count: number) => `${plural(count, 'member')} added.`,
  membersRemoved: (count: number, areReturning: boolean) =>
    `${plural(count, 'member')} removed.${areReturning ? ' Remove them at the identity provider too, or it adds them again.' : ''}`,
  ssoGroup: (group: string) => `Single sign-on group ${group}`,
  ssoGroupHint: (provider = 'the identity provider') =>
    `People in this group at ${provider} join the team when they sign in, and leave it when they sign in without the group.`,
  sources: { sso: 'Through single sign-on', scim: 'Through SCIM' },
  roleChanged: (name: string, role: string) => `${name} now has the role ${roleLabel(role)}.`,
  removed: (team: string, application: string) => `${team} was removed from ${application}.`,
  through: (teams: readonly string[]) => `Through ${listOf(teams)}`,
  alsoThrough: (role: string, teams: readonly string[]) => `${roleLabel(role)} through ${listOf(teams)}`,
  stillThrough: (name: string, teams: readonly string[]) =>
    `${name} now only has the access of ${listOf(teams)}.`,
  accessTitle: (name: string) => `Remove ${name}`,
  accessDetail: (name: string, count: number) =>
    count === 1
      ? `${name} has access through a team. Remove them from the team, or remove the team from this application.`
      : `${name} has access through ${count} teams. Remove them from the teams, or remove the teams from this application.`,
  joins: (teams: readonly string[]) => `${teams.length === 1 ? 'Team' : 'Teams'}: ${listOf(teams)}`,
  joinLabel: 'Teams',
  joinHint: 'They get the roles of these teams.',
}
