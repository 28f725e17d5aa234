import { Type } from 'typebox'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { Nullable } from '../../http/fields.ts'
import { invalid } from '../../http/validation.ts'
import { Problem } from '../../lib/problem.ts'
import { requireApplication } from '../applications/application.db.ts'
import { enqueueMail } from '../mails/mail.ts'
import { requireWorkspace } from '../workspace/workspace.db.ts'
import { findIsMember, insertInvitation, updateExpiredInvitationsRevoked } from './invitation.db.ts'
import {
  applicationRoles,
  CreatedInvitation,
  Email,
  hashToken,
  makeToken,
  workspaceRoles,
} from './invitation.ts'
import { alreadyMember } from './member.ts'

const livesDays = 7

export const createInvitation = endpoint({
  method: 'POST',
  path: '/workspace/invitations',
  scope: { workspace: 'members:write' },
  summary: 'Invite a person by mail',
  description: `To the workspace (owner, admin, member), or to one application (admin, developer, qa, readonly). It expires after ${livesDays} days.`,
  body: Type.Object({
    email: Email,
    role: Type.Enum(['admin', 'member', 'owner', 'developer', 'qa', 'readonly']),
    application_id: Type.Optional(
      Nullable(Type.String({ maxLength: 100, description: 'Invites to this application alone.' })),
    ),
  }),
  status: 201,
  returns: one(CreatedInvitation),
  async handle({ body, ...call }) {
    const { db, actor, config } = call
    const { workspaceId } = actor
    const email = body.email.toLowerCase()
    const wanted = body.application_id ?? null
    const application = wanted === null ? null : await requireApplication(db, actor, wanted)
    const roles = application === null ? workspaceRoles : applicationRoles
    if (!roles.includes(body.role))
      throw invalid({
        role: [
          `must be one of ${roles.join(', ')} in ${application === null ? 'a workspace' : 'an application'}.`,
        ],
      })
    const { name } = application ?? (await requireWorkspace(db, workspaceId))
    const invitee = { workspaceId, applicationId: application?.id ?? null, email }
    const token = makeToken()
    const url = `${config.publicUrl}/invitations/${token}`
    const invitation = await conflictsAs({ invitations_open: alreadyInvited }, () =>
      inTransaction(db, async (tx) => {
        if (await findIsMember(tx, invitee)) throw alreadyMember()
        await updateExpiredInvitationsRevoked(tx, invitee)
        const row = await insertInvitation(tx, {
          ...invitee,
          role: body.role,
          tokenSha256: hashToken(token),
          invitedBy: actor.keyId ?? actor.name,
          livesDays,
        })
        await enqueueMail(tx, call, {
          workspaceId,
          to: email,
          subject: `Invitation to ${name.replaceAll(/\s+/g, ' ')}`,
          text: `You are invited to ${name}, as ${body.role}.\n\nAccept here within ${livesDays} days:\n${url}\n`,
        })
        await recordEvent(tx, call, {
          action: 'invitation.created',
          applicationId: invitee.applicationId,
          subject: { type: 'invitation', id: row.id },
          after: { email, role: row.role },
        })
        return row
      }),
    )
    return { message: 'Invitation created.', data: { ...invitation, token, url } }
  },
})

const alreadyInvited = (): Problem =>
  new Problem(
    'conflict',
    'invitation.exists',
    'This person is invited already: take that invitation back first.',
  )
