import { Type, type Static } from 'typebox'
import { findEndOfLog } from '../../events/change-log.db.ts'
import { positionText } from '../../events/change-position.ts'
import type { Call } from '../../http/endpoint/endpoint.ts'
import { Nullable, Timestamp } from '../../http/endpoint/fields.ts'
import { applicationRoles, scopesOfApplicationRole, workspaceRoles } from '../../http/endpoint/roles.ts'
import { localNetwork } from '../../http/wire/local-network.ts'
import { isoMicroseconds } from '../../lib/time.ts'
import { iconUrl } from '../icons/icon.ts'
import { ProfilePhotoUrl, userResource } from '../members/member.ts'
import { findSampleApplicationId, listWorkspacesOfUser, requireUser } from './session.db.ts'

const workspace = { id: Type.String(), name: Type.String(), logo_url: Nullable(Type.String()) }
const Role = Type.Enum(workspaceRoles)

export const Session = Type.Object(
  {
    user: Type.Object({
      id: Type.String(),
      name: Type.String({ description: 'The name that the user chose in this workspace.' }),
      email: Type.String(),
      profile_photo_url: ProfilePhotoUrl,
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
    local_network_urls: Nullable(
      Type.Array(Type.String(), {
        description:
          'URLs at which devices in the network of the server could open it if it were configured for them, because the public URL leads each device to itself. Empty if the server runs in a container or has no network; `null` if the public URL may lead other devices to the server.',
      }),
    ),
    local_network_command: Nullable(
      Type.String({
        description:
          'The command that starts the server so that devices in its network can open the first of `local_network_urls`; `null` if there is none.',
      }),
    ),
    sample_application_id: Nullable(
      Type.String({
        description:
          'ID of the sample application of the workspace; `null` if there is none or the user cannot access it.',
      }),
    ),
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
  const { id: userId, workspaceId, scopes, session, expiresAt } = actor
  if (userId === null || session === null || expiresAt === null) throw new Error('the caller has no session')
  const user = await requireUser(db, userId)
  const { email, email_verified, two_factor_enabled } = user
  const memberships = await listWorkspacesOfUser(db, userId)
  const workspaces = memberships.map(({ logo_object_key, member_name: _, ...row }) => ({
    ...row,
    logo_url: iconUrl(config.publicUrl, logo_object_key),
  }))
  const current = workspaces.find(({ id }) => id === workspaceId)
  // The name of the actor is cached, and the console loads the session right after a person has changed it.
  const name = memberships.find(({ id }) => id === workspaceId)?.member_name ?? actor.name
  const { profile_photo_url } = userResource({ ...user, name }, config)
  const network = localNetwork(config)
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
    local_network_urls: network?.urls ?? null,
    local_network_command: network?.command ?? null,
    sample_application_id: (await findSampleApplicationId(db, actor)) ?? null,
    events_cursor: positionText(await findEndOfLog(db)),
  }
}
