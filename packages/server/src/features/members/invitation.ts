import { createHash, randomBytes } from 'node:crypto'
import { Type, type Static } from 'typebox'
import { emailPattern, Nullable, Timestamp } from '../../http/endpoint/fields.ts'
import { problem } from '../../lib/problem.ts'
import { ApplicationRole } from './member.ts'

export const InvitationRole = Type.Enum(['admin', 'member', 'owner', 'developer', 'qa', 'readonly'])

export const InvitationApplication = Type.Object({
  application_id: Type.String({ maxLength: 100, description: 'ID of an application.' }),
  role: ApplicationRole,
})

const fields = {
  id: Type.String(),
  email: Type.String(),
  role: InvitationRole,
  application_id: Nullable(
    Type.String({ description: 'ID of the application, or `null` if the invitation is to the workspace.' }),
  ),
  applications: Type.Array(InvitationApplication, {
    description: 'The applications to which the invitation gives access, with the role in each.',
  }),
  teams: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
    description: 'The teams that the person joins by accepting the invitation.',
  }),
  status: Type.Enum(['open', 'accepted', 'revoked', 'expired']),
  invited_by: Nullable(Type.String()),
  created_at: Timestamp,
  expires_at: Timestamp,
  accepted_at: Nullable(Timestamp),
  revoked_at: Nullable(Timestamp),
}

export const Invitation = Type.Object(fields, { title: 'Invitation' })

export const CreatedInvitation = Type.Object(
  {
    ...fields,
    token: Nullable(
      Type.String({
        description:
          'Token for accepting the invitation. `null` if it is sent only by email, which proves that the user has access to the mailbox, or if your key does not hold every workspace scope.',
      }),
    ),
    url: Nullable(
      Type.String({
        description: 'Page on which the user accepts the invitation. `null` if `token` is `null`.',
      }),
    ),
  },
  { title: 'CreatedInvitation' },
)

export type InvitationRow = Static<typeof Invitation>

export const Email = Type.String({
  maxLength: 254,
  pattern: emailPattern,
  patternMessage: 'must be an email address.',
  examples: ['ada@example.com'],
})

/** Returns what an audit entry adds for an invitation to the workspace that also gives access to applications. */
export const grantedAccess = (
  { application_id: applicationId, applications }: Pick<InvitationRow, 'application_id' | 'applications'>,
  teams: InvitationRow['teams'],
) => ({
  ...(applicationId === null && applications.length > 0 ? { applications } : {}),
  ...(teams.length > 0 ? { teams } : {}),
})

export const generateToken = (): string => `qsi_${randomBytes(32).toString('base64url')}`

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

export const invitationGone = problem(
  'gone',
  'invitation.gone',
  'This invitation has expired, or has been revoked or accepted. Ask for a new one.',
)
