import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { Nullable, PathId, Timestamp } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { hasSignInMethod } from '../../sign-in/account.db.ts'
import { requireInvitationPage } from './invitation.db.ts'
import { hashToken, invitationGone, InvitationRole } from './invitation.ts'
import { ApplicationRole } from './member.ts'

export const getInvitation = endpoint({
  method: 'GET',
  path: '/invitations/:token',
  scope: 'public',
  summary: 'Get an invitation',
  description:
    'Returns what the invited person needs to know before accepting. Returns 410 once it is not open.',
  params: Type.Object({ token: PathId('The token of the invitation.') }),
  refuses: [invitationGone],
  returns: one(
    Type.Object({
      workspace_name: Type.String(),
      application_name: Nullable(
        Type.String({ description: '`null` if the invitation is to the whole workspace.' }),
      ),
      applications: Type.Array(Type.Object({ name: Type.String(), role: ApplicationRole }), {
        description: 'The applications to which the invitation gives access, with the role in each.',
      }),
      teams: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
        description: 'The teams that the person joins.',
      }),
      inviter_name: Nullable(Type.String({ description: '`null` if an API key created the invitation.' })),
      email: Type.String(),
      role: InvitationRole,
      has_account: Type.Boolean({
        description: 'Whether the person already has a way to sign in, and therefore needs no new password.',
      }),
      expires_at: Timestamp,
    }),
  ),
  async handle({ db, params }) {
    const { status, ...invitation } = await requireInvitationPage(db, hashToken(params.token))
    if (status !== 'open') throw invitationGone()
    const has_account = await hasSignInMethod(db, invitation.email)
    return { message: 'Invitation found.', data: { ...invitation, has_account } }
  },
})
