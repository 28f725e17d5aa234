import { Type, type Static } from 'typebox'
import { findEndOfLog } from '../../events/change-log.db.ts'
import { positionText } from '../../events/change-position.ts'
import type { Call } from '../../http/endpoint.ts'
import { Nullable, Timestamp } from '../../http/fields.ts'
import { applicationRoles, scopesOfApplicationRole, workspaceRoles } from '../../http/roles.ts'
import { isoMicroseconds } from '../../lib/time.ts'
import { iconUrl } from '../icons/icon.ts'
import { listWorkspacesOfUser, requireUser } from './session.db.ts'

const workspace = { id: Type.String(), name: Type.String(), logo_url: Nullable(Type.String()) }
const Role = Type.Enum(workspaceRoles)

export const Session = Type.Object(
  {
    user: Type.Object({
      id: Type.String(),
      name: Type.String({ description: 'The name that the user chose in this workspace.' }),
      email: Type.String(),
      profile_photo_url: Nullable(Type.String()),
      email_verified: Type.Boolean(),
    }),
    workspace: Type.Object(workspace, { description: 'The workspace in which the session acts.' }),
    workspaces: Type.Array(Type.Object({ ...workspace, role: Role }), {
      description: 'The workspaces to which the user belongs.',
    }),
    role: Role,
    scopes: Type.Array(Type.String(), { description: 'The workspace scopes of the role.' }),
    applications: Nullable(
      Type.Array(
        Type.Object({
          id: Type.String(),
          role: Type.Enum(applicationRoles),
          scopes: Type.Array(Type.String(), { description: 'The application scopes of the role.' }),
        }),
        {
          description:
            'The applications that the user can access; `null` for owners and admins, who have every scope in every application.',
        },
      ),
    ),
    two_factor_enabled: Type.Boolean(),
    expires_at: Timestamp,
    events_cursor: Type.String({
      description:
        'The position of the event stream. Pass it as `after` to receive the changes that are made after this response, including those made before the stream is open.',
    }),
  },
  { title: 'Session' },
)

/** Returns the API representation of the caller's session. */
export async function sessionResource({
  db,
  actor,
  config,
}: Pick<Call, 'db' | 'actor' | 'config'>): Promise<Static<typeof Session>> {
  const { id: userId, name, workspaceId, scopes, session, expiresAt } = actor
  if (userId === null || session === null || expiresAt === null) throw new Error('the caller has no session')
  const user = await requireUser(db, userId)
  const { email, email_verified, two_factor_enabled } = user
  const profile_photo_url = iconUrl(config.publicUrl, user.photo_object_key) ?? user.profile_photo_url
  const workspaces = (await listWorkspacesOfUser(db, userId)).map(({ logo_object_key, ...row }) => ({
    ...row,
    logo_url: iconUrl(config.publicUrl, logo_object_key),
  }))
  const current = workspaces.find(({ id }) => id === workspaceId)
  return {
    user: { id: userId, name, email, profile_photo_url, email_verified },
    workspace: { id: workspaceId, name: current?.name ?? '', logo_url: current?.logo_url ?? null },
    workspaces,
    role: session.role,
    scopes: [...scopes],
    applications:
      session.applicationRoles &&
      [...session.applicationRoles].map(([id, role]) => ({
        id,
        role,
        scopes: [...scopesOfApplicationRole(role)],
      })),
    two_factor_enabled,
    expires_at: isoMicroseconds(expiresAt),
    events_cursor: positionText(await findEndOfLog(db)),
  }
}
