import { Type } from 'typebox'
import { requireUnrevokedCaller, roleChanged } from '../../../access/caller.db.ts'
import { conflictsAs } from '../../../database/conflicts.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { recordEvent } from '../../../events/record-event.ts'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../../http/endpoint/fields.ts'
import { one } from '../../../http/endpoint/responses.ts'
import { addApplicationMember } from '../add-application-member.ts'
import {
  alreadyMember,
  ApplicationMember,
  ApplicationRole,
  applicationRoleProblems,
  requireRoleAuthority,
  userResource,
} from '../member.ts'
import {
  closeAccessRequest,
  lockAccessRequest,
  requireAccessRequest,
  requireAccessRequestOfPath,
} from './access-request.db.ts'
import { AccessRequestId, requestClosed } from './access-request.ts'

export const approveAccessRequest = endpoint({
  method: 'POST',
  path: '/applications/:application_id/access-requests/:access_request_id/approve',
  scope: { workspace: 'applications:write', application: 'members:write' },
  summary: 'Approve an access request',
  description:
    'Adds the person to the application and notifies them. Only a caller with every application scope can grant the admin role.',
  params: Type.Object({ application_id: ApplicationId, access_request_id: AccessRequestId }),
  body: Type.Object({
    role: Type.Optional(
      Type.Enum(ApplicationRole.enum, { default: 'readonly', description: 'The role of the person.' }),
    ),
  }),
  refuses: [requestClosed, alreadyMember, roleChanged, ...applicationRoleProblems],
  returns: one(ApplicationMember),
  load: requireAccessRequestOfPath,
  async handle({ owner, request: { id }, body: { role = 'readonly' }, ...call }) {
    requireRoleAuthority(call.actor, 'application', role)
    const { applicationId, workspaceId } = owner
    const data = await conflictsAs({ application_members_pkey: alreadyMember }, () =>
      inTransaction(call.db, async (tx) => {
        await requireUnrevokedCaller(tx, call.actor)
        await lockAccessRequest(tx, id)
        const { user_id: userId, email, is_open: isOpen } = await requireAccessRequest(tx, owner, id)
        if (!isOpen) throw requestClosed()
        await closeAccessRequest(tx, id)
        await recordEvent(tx, call, {
          action: 'access_request.approved',
          applicationId,
          subject: { type: 'access_request', id },
          after: { email, role },
        })
        const member = await addApplicationMember(tx, call, owner, { userId, role })
        await call.dependents.notifyOfAccess(tx, {
          kind: 'access_granted',
          applicationId,
          workspaceId,
          userId,
          actorName: call.actor.name,
        })
        return member
      }),
    )
    return { message: 'Request approved.', data: userResource(data, call.config) }
  },
})
