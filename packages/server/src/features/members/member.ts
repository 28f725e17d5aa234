import { Type, type Static } from 'typebox'
import type { Config } from '../../config/config.ts'
import { passwordLength } from '../../config/sign-in.ts'
import { holdsEveryScope, type Actor } from '../../http/endpoint/actor.ts'
import { Nullable, PathId, Timestamp } from '../../http/endpoint/fields.ts'
import { applicationRoles, workspaceRoles } from '../../http/endpoint/roles.ts'
import { problem } from '../../lib/problem.ts'
import { avatarUrl } from '../avatars/avatar.ts'
import { iconUrl } from '../icons/icon.ts'

export const ProfilePhotoUrl = Type.String({
  description: 'URL of the photo of the user, or of a generated picture with initials if there is none.',
})

export const userFields = {
  id: Type.String(),
  name: Type.String({ description: 'The name that the user chose in this workspace.' }),
  email: Type.String(),
  profile_photo_url: ProfilePhotoUrl,
}

export const User = Type.Object(
  { ...userFields, email: Nullable(Type.String({ description: '`null` for keys without `members:read`.' })) },
  { title: 'User' },
)

/** Where the membership of a team comes from. */
export const memberSources = ['manual', 'sso', 'scim'] as const

export const WorkspaceRole = Type.Enum(workspaceRoles)
export const ApplicationRole = Type.Enum(applicationRoles)

export const WorkspaceMember = Type.Object(
  { ...userFields, role: WorkspaceRole, added_at: Timestamp },
  { title: 'WorkspaceMember' },
)

export const ApplicationMember = Type.Object(
  {
    ...userFields,
    role: Type.Enum([...applicationRoles, 'owner'], {
      description:
        'The role that the person was given in the application, or otherwise the role from `source`: the workspace role, or the highest role of their teams.',
    }),
    resolved_role: Type.Enum(applicationRoles, {
      description:
        'The effective role, which is the highest of all. Owners and admins of the workspace are admins of every application.',
    }),
    source: Type.Enum(['application', 'team', 'workspace'], {
      description:
        '`application`: the person was added to the application. `workspace`: an owner or admin of the workspace. `team`: the person only has access through teams.',
    }),
    teams: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), role: ApplicationRole }), {
      description: 'The teams of the person that have a role in the application.',
    }),
  },
  { title: 'Member' },
)

type PhotoColumns = {
  name: string
  profile_photo_url: string | null
  photo_object_key: string | null
}
export type WorkspaceMemberRow = Omit<Static<typeof WorkspaceMember>, keyof PhotoColumns> & PhotoColumns
export type ApplicationMemberRow = Omit<Static<typeof ApplicationMember>, keyof PhotoColumns> & PhotoColumns

/** Returns the row of a user as in responses, with the URL of the photo that the user uploaded or of an avatar. */
export function userResource<Row extends PhotoColumns>(
  { photo_object_key, ...row }: Row,
  { publicUrl }: Pick<Config, 'publicUrl'>,
) {
  const photo = iconUrl(publicUrl, photo_object_key) ?? row.profile_photo_url
  return { ...row, profile_photo_url: photo ?? avatarUrl(publicUrl, row.name) }
}

export const Password = Type.String({
  minLength: passwordLength.min,
  maxLength: passwordLength.max,
  description: 'Password for signing in to the console.',
  examples: ['a long password'],
})

export const UserId = PathId('ID of the user.')

const privilegedRoles: ReadonlySet<string | undefined> = new Set(['owner', 'admin'])

/**
 * Throws `forbidden` if a change grants or revokes the owner or admin role and the caller does not have every scope
 * that such a role includes, or if an admin grants or revokes the owner role. `roles` are the roles before and after the change.
 */
export function requireRoleAuthority(
  actor: Actor,
  level: 'workspace' | 'application',
  ...roles: (string | undefined)[]
): void {
  if (!roles.some((role) => privilegedRoles.has(role))) return
  if (level === 'workspace' && roles.includes('owner') && !actor.canGrantOwner) throw ownerRequired()
  if (holdsEveryScope(actor, level)) return
  throw level === 'workspace' ? fullWorkspaceScopesRequired() : fullApplicationScopesRequired()
}

const fullWorkspaceScopesRequired = problem(
  'forbidden',
  'member.full_key_required',
  'Only a caller with every workspace scope can grant or revoke the owner and admin roles.',
)

const fullApplicationScopesRequired = problem(
  'forbidden',
  'member.full_key_required',
  'Only a caller with every application scope can grant or revoke the application admin role.',
)

const ownerRequired = problem(
  'forbidden',
  'member.owner_required',
  'Only an owner can grant or revoke the owner role.',
)

export const alreadyMember = problem(
  'conflict',
  'member.exists',
  'This user is already a member. Change the role of the member instead.',
)

export const lastOwner = problem(
  'conflict',
  'member.last_owner',
  'A workspace needs an owner. Make another member an owner first.',
)

const inheritedRole = problem(
  'conflict',
  'member.inherited',
  'This member inherits the role from the workspace. Change it at `/workspace/members`.',
)

const roleOfTeam = problem(
  'conflict',
  'member.through_team',
  'This member has access through a team. Remove the member from the team, or the team from the application.',
)

export const workspaceRoleProblems = [ownerRequired, fullWorkspaceScopesRequired]

/** Returns the error for a change of a role that the member was not given in the application itself. */
export const roleElsewhere = ({ source }: Pick<ApplicationMemberRow, 'source'>) =>
  source === 'team' ? roleOfTeam() : inheritedRole()

export const roleElsewhereProblems = [inheritedRole, roleOfTeam]

export const applicationRoleProblems = [fullApplicationScopesRequired]
