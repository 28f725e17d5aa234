import { Type } from 'typebox'
import { requireApplication } from '../../access/application.db.ts'
import { requireUnrevokedCaller } from '../../access/caller.db.ts'
import { requireWorkspace } from '../../access/workspace.db.ts'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint } from '../../http/endpoint.ts'
import { Nullable } from '../../http/fields.ts'
import { one } from '../../http/responses.ts'
import { applicationRoles, workspaceRoles } from '../../http/roles.ts'
import { invalid } from '../../http/validation.ts'
import { Problem } from '../../lib/problem.ts'
import { canReadSecrets, enqueueMail } from '../mails/mail.ts'
import { insertInvitation, isMember, revokeExpiredInvitations } from './invitation.db.ts'
import { CreatedInvitation, Email, generateToken, hashToken, InvitationRole } from './invitation.ts'
import { alreadyMember, requireRoleAuthority } from './member.ts'

const validDays = 7

export const createInvitation = endpoint({
  method: 'POST',
  path: '/workspace/invitations',
  scope: { workspace: 'members:write' },
  summary: 'Invite a user by email',
  description: `Invites a user to the workspace (roles: ${workspaceRoles.join(', ')}) or to one application (roles: ${applicationRoles.join(', ')}). Only owners, and keys with every scope, can invite owners; admins can invite admins. The invitation expires after ${validDays} days, or when your key expires. Its token is sent by email. Without an SMTP server, a caller with every workspace scope can read it in the response.`,
  body: Type.Object({
    email: Email,
    role: InvitationRole,
    application_id: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 100,
          description: 'ID of an application. If set, the invitation is to this application only.',
        }),
      ),
    ),
  }),
  status: 201,
  returns: one(CreatedInvitation),
  async handle({ body, ...call }) {
    const { db, actor, config, mailer } = call
    const { workspaceId } = actor
    const email = body.email.toLowerCase()
    const applicationId = body.application_id ?? null
    const application = applicationId === null ? null : await requireApplication(db, actor, applicationId)
    const [level, roles]: [string, readonly string[]] =
      application === null ? ['the workspace', workspaceRoles] : ['an application', applicationRoles]
    if (!roles.includes(body.role))
      throw invalid({
        role: [`must be one of the following in an invitation to ${level}: ${roles.join(', ')}.`],
      })
    requireRoleAuthority(actor, application === null ? 'workspace' : 'application', body.role)
    const { name } = application ?? (await requireWorkspace(db, workspaceId))
    const invitee = { workspaceId, applicationId, email }
    const token = generateToken()
    const url = `${config.publicUrl}/invitations/${token}`
    const invitation = await conflictsAs({ invitations_open: alreadyInvited }, () =>
      inTransaction(db, async (tx) => {
        await requireUnrevokedCaller(tx, actor)
        if (await isMember(tx, invitee)) throw alreadyMember()
        await revokeExpiredInvitations(tx, invitee)
        const row = await insertInvitation(tx, {
          ...invitee,
          role: body.role,
          tokenSha256: hashToken(token),
          isTokenPrivate: mailer !== undefined,
          invitedBy: actor.id ?? actor.name,
          validDays,
          expiresBy: actor.grantsUntil,
        })
        await enqueueMail(tx, call, {
          workspaceId,
          to: email,
          secrets: [token],
          subject: `Invitation to ${name.replaceAll(/\s+/g, ' ')}`,
          text: `You have been invited to ${name} with the role "${body.role}".\n\nAccept the invitation within ${validDays} days:\n${url}\n`,
        })
        await recordEvent(tx, call, {
          action: 'invitation.created',
          applicationId,
          subject: { type: 'invitation', id: row.id },
          after: { email, role: row.role },
        })
        return row
      }),
    )
    // The caller had the authority to grant this role, but the outbox also contains links that grant others.
    const link = canReadSecrets(call, { isOwn: true }) ? { token, url } : { token: null, url: null }
    return { message: 'Invitation created.', data: { ...invitation, ...link } }
  },
})

const alreadyInvited = (): Problem =>
  new Problem(
    'conflict',
    'invitation.exists',
    'This email address already has an open invitation. Revoke it first.',
  )
