import { Type } from 'typebox'
import { applicationRef, requireApplicationOfPath } from '../../access/application.db.ts'
import { conflictsAs, type Conflicts } from '../../database/conflicts.ts'
import { inTransaction } from '../../database/transaction.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { notFound } from '../../lib/problem.ts'
import { addApplicationMember } from './add-application-member.ts'
import {
  alreadyMember,
  ApplicationMember,
  ApplicationRole,
  applicationRoleProblems,
  requireRoleAuthority,
  userResource,
} from './member.ts'
import { requireWorkspaceMember } from './workspace-member.db.ts'

export const createApplicationMember = endpoint({
  method: 'POST',
  path: '/applications/:application_id/members',
  scope: { workspace: 'applications:write' },
  summary: 'Add a member to an application',
  description:
    'The user must be a member of the workspace. Invite others with `POST /workspace/invitations`. Only a key with every application scope can add an admin.',
  params: Type.Object({ application_id: ApplicationId }),
  body: Type.Object({
    user_id: Type.String({ maxLength: 100, description: 'ID of a member of the workspace.' }),
    role: ApplicationRole,
  }),
  status: 201,
  refuses: [alreadyMember, ...applicationRoleProblems],
  returns: one(ApplicationMember),
  load: requireApplicationOfPath,
  async handle({ application, body: { user_id: userId, role }, ...call }) {
    const owner = applicationRef(application)
    requireRoleAuthority(call.actor, 'application', role)
    await requireWorkspaceMember(call.db, owner.workspaceId, userId)
    const conflicts: Conflicts = {
      application_members_pkey: alreadyMember,
      application_members_workspace_id_user_id_fkey: notFound,
    }
    const data = await conflictsAs(conflicts, () =>
      inTransaction(call.db, (tx) => addApplicationMember(tx, call, owner, { userId, role })),
    )
    return { message: 'Member added.', data: userResource(data, call.config) }
  },
})
