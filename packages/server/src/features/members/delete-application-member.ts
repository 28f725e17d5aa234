import { Type } from 'typebox'
import { applicationRef, requireApplication } from '../../access/application.db.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { Message } from '../../http/endpoint/responses.ts'
import { findLockedRole, removeApplicationMember, requireApplicationMember } from './application-member.db.ts'
import {
  applicationRoleProblems,
  requireRoleAuthority,
  roleElsewhere,
  roleElsewhereProblems,
  UserId,
} from './member.ts'

export const deleteApplicationMember = endpoint({
  method: 'DELETE',
  path: '/applications/:application_id/members/:user_id',
  scope: { workspace: 'applications:write', application: 'members:write' },
  summary: 'Remove a member from an application',
  description: 'Only a key with every application scope can remove an admin.',
  params: Type.Object({ application_id: ApplicationId, user_id: UserId }),
  refuses: [...roleElsewhereProblems, ...applicationRoleProblems],
  returns: Message,
  async load({ db, actor, params }) {
    const application = await requireApplication(db, actor, params.application_id)
    const owner = applicationRef(application)
    return { owner, member: await requireApplicationMember(db, owner, params.user_id) }
  },
  async handle({ owner: { applicationId }, member, ...call }) {
    await inTransaction(call.db, async (tx) => {
      const role = await findLockedRole(tx, applicationId, member.id)
      if (role === undefined) throw roleElsewhere(member)
      requireRoleAuthority(call.actor, 'application', role)
      await removeApplicationMember(tx, applicationId, member.id)
      await recordEvent(tx, call, {
        action: 'application_member.deleted',
        applicationId,
        subject: { type: 'member', id: member.id },
        before: { email: member.email, role },
      })
    })
    return { message: 'Member removed.' }
  },
})
