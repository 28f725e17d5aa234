import { Type, type Static } from 'typebox'
import type { Config } from '../../../config/config.ts'
import type { Actor } from '../../../http/endpoint/actor.ts'
import { changesOf } from '../../../http/endpoint/changes.ts'
import { name, Nullable, PathId, text, Timestamp } from '../../../http/endpoint/fields.ts'
import { problem } from '../../../lib/problem.ts'
import { iconUrl } from '../../icons/icon.ts'
import { ApplicationRole, memberSources, requireRoleAuthority, userFields, userResource } from '../member.ts'
import type { TeamApplicationRow, TeamRole } from './team-application.db.ts'
import type { TeamMemberRow } from './team-member.db.ts'
import type { TeamRow } from './team.db.ts'

export const maxMembers = 1000
const maxUsersPerCall = 100
/** The maximum length of the name of a group at the identity provider. */
const maxGroupLength = 255

export const TeamId = PathId('ID of the team.')

const ssoGroupDescription =
  'Name of the group at the identity provider whose members join the team when they sign in with single sign-on.'

const teamFields = {
  id: Type.String(),
  name: Type.String(),
  description: Nullable(Type.String()),
  member_count: Type.Integer(),
}

export const Team = Type.Object(
  {
    ...teamFields,
    application_count: Type.Integer({
      description: 'Number of applications that you can access and in which the team has a role.',
    }),
    sso_group: Nullable(Type.String({ description: `${ssoGroupDescription} \`null\` if there is none.` })),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Team' },
)

export const TeamMember = Type.Object(
  {
    ...userFields,
    source: Type.Enum(memberSources, {
      description:
        '`manual`: a person or API key added the member. `sso`: the groups of the last single sign-on include the `sso_group` of the team. `scim`: the identity provider added the member through SCIM.',
    }),
    added_at: Timestamp,
  },
  { title: 'TeamMember' },
)

export const TeamApplication = Type.Object(
  {
    id: Type.String({ description: 'ID of the application.' }),
    name: Type.String(),
    icon_url: Nullable(Type.String()),
    role: ApplicationRole,
    added_at: Timestamp,
  },
  { title: 'TeamApplication' },
)

export const ApplicationTeam = Type.Object(
  { ...teamFields, role: ApplicationRole, added_at: Timestamp },
  { title: 'ApplicationTeam' },
)

const writableFields = {
  name: name(100, 'Unique within the workspace, ignoring case.'),
  description: Nullable(text(1000)),
  sso_group: Nullable(
    text(
      maxGroupLength,
      `${ssoGroupDescription} Compared exactly. A group can belong to several teams. Members that it added leave the team when they sign in without the group.`,
    ),
  ),
}

export const NewTeam = Type.Object({
  name: writableFields.name,
  description: Type.Optional(writableFields.description),
  sso_group: Type.Optional(writableFields.sso_group),
})

export const TeamChanges = changesOf(writableFields)

export const UserIds = Type.Array(
  Type.String({ maxLength: 100, description: 'ID of a member of the workspace.' }),
  { minItems: 1, maxItems: maxUsersPerCall, description: `At most ${maxUsersPerCall} per call.` },
)

export const teamMemberResource = (row: TeamMemberRow, config: Pick<Config, 'publicUrl'>) =>
  userResource(row, config)

export const teamApplicationResource = (
  { icon_object_key, ...row }: TeamApplicationRow,
  { publicUrl }: Pick<Config, 'publicUrl'>,
): Static<typeof TeamApplication> => ({ ...row, icon_url: iconUrl(publicUrl, icon_object_key) })

/** Returns the attributes of a team that the audit log records. */
export const teamAuditSnapshot = ({
  name,
  description,
  sso_group,
}: Pick<TeamRow, 'name' | 'description' | 'sso_group'>) => ({
  name,
  description,
  ...(sso_group === null ? {} : { sso_group }),
})

/**
 * Throws `forbidden` if the team has the admin role in an application and the caller may not grant or revoke it, because
 * joining or leaving the team does.
 */
export const requireTeamAuthority = (actor: Actor, roles: readonly TeamRole[]): void =>
  requireRoleAuthority(actor, 'application', ...roles.map(({ role }) => role))

/** Formats a number of members for messages. */
export const memberCount = (count: number): string => (count === 1 ? '1 member' : `${count} members`)

export const nameTaken = problem(
  'conflict',
  'team.name_taken',
  'A team with this name already exists. Choose another name.',
)

export const teamFull = problem(
  'conflict',
  'team.full',
  `A team can have at most ${maxMembers} members. Create another team for the others.`,
)
