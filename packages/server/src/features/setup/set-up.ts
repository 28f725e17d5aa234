import { Type } from 'typebox'
import { passwordsBusy } from '../../crypto/password-threads.ts'
import { inTransaction } from '../../database/transaction.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { name } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { sessionSeconds } from '../../http/wire/session-cookie.ts'
import { problem } from '../../lib/problem.ts'
import { insertSession } from '../../sign-in/session.db.ts'
import { endSetupLink, findSetupLink, hashSetupToken } from '../../sign-in/setup-link.db.ts'
import { Email } from '../members/invitation.ts'
import { Password, userResource, WorkspaceMember } from '../members/member.ts'
import { requireWorkspaceMember } from '../members/workspace-member.db.ts'
import { requireFirstLockedWorkspace, saveWorkspace } from '../workspace/workspace.db.ts'
import { createOwner } from './setup.ts'

const linkGone = problem(
  'gone',
  'setup.link_gone',
  'This set-up link is no longer valid. If there is no owner yet, use the link that the server printed at its last start.',
)

export const setUp = endpoint({
  method: 'POST',
  path: '/setup',
  scope: 'public',
  summary: 'Set up the service',
  description:
    'Creates the first owner, names the workspace and signs the owner in with a session cookie. The token is in the link that the server prints when it starts without an owner. It can be used only once.',
  body: Type.Object({
    setup_token: Type.String({ maxLength: 100, description: 'The token in the set-up link.' }),
    workspace_name: name(100, 'Display name of the workspace.'),
    name: name(100, 'Name of the owner.'),
    email: Email,
    password: Password,
  }),
  status: 201,
  startsSession: true,
  refuses: [linkGone, passwordsBusy],
  returns: one(WorkspaceMember),
  async prepare({ db, body, passwords }) {
    if (!(await findSetupLink(db, hashSetupToken(body.setup_token)))) throw linkGone()
    return { passwordHash: await passwords.hash(body.password) }
  },
  async handle({ db, config, body, passwordHash, address, userAgent, sessionCookie, setCookie }) {
    const email = body.email.toLowerCase()
    const { member, token } = await inTransaction(db, async (tx) => {
      const { id: workspaceId } = await requireFirstLockedWorkspace(tx)
      if (!(await endSetupLink(tx, hashSetupToken(body.setup_token)))) throw linkGone()
      await saveWorkspace(tx, workspaceId, { name: body.workspace_name.trim() })
      const userId = await createOwner(tx, {
        workspaceId,
        email,
        name: body.name.trim(),
        passwordHash,
        address,
      })
      const session = { userId, workspaceId, address, userAgent, expiresInSeconds: sessionSeconds }
      return {
        token: await insertSession(tx, session),
        member: await requireWorkspaceMember(tx, workspaceId, userId),
      }
    })
    setCookie(sessionCookie.setCookie(token))
    return { message: 'Set-up complete.', data: userResource(member, config) }
  },
})
