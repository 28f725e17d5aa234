import { Type } from 'typebox'
import { passwordsBusy } from '../../crypto/password-threads.ts'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { name, PathId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { sessionSeconds } from '../../http/wire/session-cookie.ts'
import { problem } from '../../lib/problem.ts'
import { hasSignInMethod, insertPassword } from '../../sign-in/account.db.ts'
import { insertSession } from '../../sign-in/session.db.ts'
import { requireInvitationByToken } from './invitation.db.ts'
import { hashToken, invitationGone } from './invitation.ts'
import { joinByInvitation } from './join-by-invitation.ts'
import { Password, userResource, WorkspaceMember } from './member.ts'
import { findOtherMembership } from './workspace-member.db.ts'

const accountExists = problem(
  'conflict',
  'invitation.account_exists',
  'This email address already has an account. Accept the invitation without a password, then sign in.',
)

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/invitations/:token/accept',
  scope: 'public',
  summary: 'Accept an invitation',
  description:
    'Adds the user to the workspace and returns the member. A token can be used only once. If the token was sent only by email, this also verifies the email address of the user. With `password`, a person without an account creates one and is signed in with a session cookie.',
  params: Type.Object({ token: PathId('The token of the invitation.') }),
  body: Type.Object({
    name: name(100, 'Name of the user in this workspace. Ignored if the user is already a member.'),
    password: Type.Optional(Password),
  }),
  startsSession: true,
  refuses: [invitationGone, accountExists, passwordsBusy],
  returns: one(WorkspaceMember),
  async load({ db, params }) {
    return { invitation: await requireInvitationByToken(db, hashToken(params.token)) }
  },
  async prepare({ db, invitation, body, passwords }) {
    if (body.password === undefined) return { passwordHash: undefined }
    if (invitation.status !== 'open') throw invitationGone()
    if (await hasSignInMethod(db, invitation.email)) throw accountExists()
    return { passwordHash: await passwords.hash(body.password) }
  },
  async handle({ db, config, invitation, body, passwordHash, address, userAgent, sessionCookie, setCookie }) {
    const { workspace_id: workspaceId } = invitation
    const accept = async (tx: Tx) => {
      const joined = await joinByInvitation(tx, invitation, {
        name: body.name.trim(),
        address,
        isProven: invitation.is_token_private,
      })
      if (passwordHash === undefined) return { member: joined, token: undefined }
      await requireOwnPassword(tx, { ...invitation, userId: joined.id })
      await insertPassword(tx, joined.id, passwordHash)
      const session = { userId: joined.id, workspaceId, address, userAgent, expiresInSeconds: sessionSeconds }
      return { member: joined, token: await insertSession(tx, session) }
    }
    const { member, token } = await conflictsAs({ accounts_provider_id_account_id_key: accountExists }, () =>
      inTransaction(db, accept),
    )
    if (token !== undefined) setCookie(sessionCookie.setCookie(token))
    return { message: 'Invitation accepted.', data: userResource(member, config) }
  },
})

/**
 * Throws unless the caller may set the password of the user. A token that others could read must not give access to a
 * user who belongs to another workspace.
 */
async function requireOwnPassword(
  tx: Tx,
  invitation: { email: string; is_token_private: boolean; workspace_id: string; userId: string },
): Promise<void> {
  const { email, is_token_private: isPrivate, workspace_id: workspaceId, userId } = invitation
  if (await hasSignInMethod(tx, email)) throw accountExists()
  if (!isPrivate && (await findOtherMembership(tx, workspaceId, userId))) throw accountExists()
}
