import { createHash, randomBytes } from 'node:crypto'
import { Type, type Static } from 'typebox'
import { Nullable, Timestamp } from '../../http/fields.ts'

const fields = {
  id: Type.String(),
  email: Type.String(),
  role: Type.Enum(['admin', 'member', 'owner', 'developer', 'qa', 'readonly']),
  application_id: Nullable(
    Type.String({ description: 'The one application it is for; null = the workspace.' }),
  ),
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
    token: Type.String({ description: 'What accepting takes; shown this once and in the mail.' }),
    url: Type.String({ description: 'Where the invited person accepts.' }),
  },
  { title: 'CreatedInvitation' },
)

export type InvitationRow = Static<typeof Invitation>

export const workspaceRoles: readonly string[] = ['owner', 'admin', 'member']
export const applicationRoles: readonly string[] = ['admin', 'developer', 'qa', 'readonly']

// what a mail server could take; whether the address exists only a mail tells
export const Email = Type.String({
  maxLength: 254,
  pattern: '^[^\\s@<>"(),:;\\\\\\[\\]]+@[^\\s@<>"(),:;\\\\\\[\\]]+$',
  patternMessage: 'must be an e-mail address.',
  examples: ['ada@example.com'],
})

export const makeToken = (): string => `qsi_${randomBytes(32).toString('base64url')}`

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
