import { Type } from 'typebox'
import { applicationRef, requireApplication } from '../../access/application.db.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { assignApplicationRole, findLockedRole, requireApplicationMember } from './application-member.db.ts'
import {
  ApplicationMember,
  ApplicationRole,
  applicationRoleProblems,
  requireRoleAuthority,
  roleElsewhere,
  roleElsewhereProblems,
  UserId,
  userResource,
} from './member.ts'

export const updateApplicationMember = endpoint({
  method: 'PATCH',
  path: '/applications/:application_id/members/:user_id',
  scope: { workspace: 'applications:write', application: 'members:write' },
  summary: "Update an application member's role",
  description: 'Only a key with every application scope can grant or revoke the admin role.',
  params: Type.Object({ application_id: ApplicationId, user_id: UserId }),
  body: Type.Object({ role: ApplicationRole }),
  refuses: [...roleElsewhereProblems, ...applicationRoleProblems],
  returns: one(ApplicationMember),
  async load({ db, actor, params }) {
    const application = await requireApplication(db, actor, params.application_id)
    const owner = applicationRef(application)
    return { owner, member: await requireApplicationMember(db, owner, params.user_id) }
  },
  async handle({ owner, member, body: { role }, ...call }) {
    const data = await inTransaction(call.db, async (tx) => {
      const before = await findLockedRole(tx, owner.applicationId, member.id)
      if (before === undefined) throw roleElsewhere(member)
      requireRoleAuthority(call.actor, 'application', before, role)
      await assignApplicationRole(tx, owner.applicationId, member.id, role)
      await recordEvent(tx, call, {
        action: 'application_member.updated',
        applicationId: owner.applicationId,
        subject: { type: 'member', id: member.id },
        before: { email: member.email, role: before },
        after: { email: member.email, role },
      })
      return requireApplicationMember(tx, owner, member.id)
    })
    return { message: 'Member updated.', data: userResource(data, call.config) }
  },
})
