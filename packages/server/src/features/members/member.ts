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

const userFields = {
  id: Type.String(),
  name: Type.String({ description: 'The name that the user chose in this workspace.' }),
  email: Type.String(),
  profile_photo_url: ProfilePhotoUrl,
}

export const User = Type.Object(
  { ...userFields, email: Nullable(Type.String({ description: '`null` for keys without `members:read`.' })) },
  { title: 'User' },
)

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
      description: 'The role in the application, or the workspace role of members who inherit it.',
    }),
    resolved_role: Type.Enum(applicationRoles, {
      description: 'The effective role. Owners and admins of the workspace are admins of every application.',
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

export const inheritedRole = problem(
  'conflict',
  'member.inherited',
  'This member inherits the role from the workspace. Change it at `/workspace/members`.',
)

export const workspaceRoleProblems = [ownerRequired, fullWorkspaceScopesRequired]

export const applicationRoleProblems = [fullApplicationScopesRequired]
