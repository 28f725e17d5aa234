import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { requireApplication } from '../applications/application.db.ts'
import {
  findLockedRole,
  requireApplicationMember,
  updateApplicationMemberRole,
} from './application-member.db.ts'
import { ApplicationMember, ApplicationRole, inherited, UserId } from './member.ts'

export const updateApplicationMember = endpoint({
  method: 'PATCH',
  path: '/applications/:application_id/members/:user_id',
  scope: { workspace: 'applications:write', application: 'members:write' },
  summary: 'Change the role of a member of an application',
  params: Type.Object({ application_id: ApplicationId, user_id: UserId }),
  body: Type.Object({ role: ApplicationRole }),
  returns: one(ApplicationMember),
  async visible({ db, actor, params }) {
    const application = await requireApplication(db, actor, params.application_id)
    const owner = { applicationId: application.id, workspaceId: application.workspace_id }
    return { owner, member: await requireApplicationMember(db, owner, params.user_id) }
  },
  async handle({ owner, member, body: { role }, ...call }) {
    const data = await inTransaction(call.db, async (tx) => {
      const before = await findLockedRole(tx, owner.applicationId, member.id)
      if (before === undefined) throw inherited()
      await updateApplicationMemberRole(tx, owner.applicationId, member.id, role)
      await recordEvent(tx, call, {
        action: 'application_member.updated',
        applicationId: owner.applicationId,
        subject: { type: 'member', id: member.id },
        before: { email: member.email, role: before },
        after: { email: member.email, role },
      })
      return requireApplicationMember(tx, owner, member.id)
    })
    return { message: 'Member updated.', data }
  },
})
