import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { isPrivilegedRole } from '../../http/endpoint/roles.ts'
import {
  lastOwner,
  requireRoleAuthority,
  UserId,
  userResource,
  WorkspaceMember,
  WorkspaceRole,
  workspaceRoleProblems,
} from './member.ts'
import { revokeGrantsOf } from './revoke-grants.ts'
import { assignWorkspaceRole, listLockedOwners, requireWorkspaceMember } from './workspace-member.db.ts'

export const updateWorkspaceMember = endpoint({
  method: 'PATCH',
  path: '/workspace/members/:user_id',
  scope: { workspace: 'members:write' },
  summary: "Update a workspace member's role",
  description:
    'Only owners, and keys with every workspace scope, can grant or revoke the owner role. Admins can grant or revoke the other roles. If the user is no longer an owner or admin, the API keys, trusted publishers and open invitations that the user created are revoked.',
  params: Type.Object({ user_id: UserId }),
  body: Type.Object({ role: WorkspaceRole }),
  refuses: [lastOwner, ...workspaceRoleProblems],
  returns: one(WorkspaceMember),
  async load({ db, actor, params }) {
    return { found: await requireWorkspaceMember(db, actor.workspaceId, params.user_id) }
  },
  async handle({ found: { id }, body, ...call }) {
    const { workspaceId } = call.actor
    const { member, revoked } = await inTransaction(call.db, async (tx) => {
      const owners = await listLockedOwners(tx, workspaceId)
      const before = await requireWorkspaceMember(tx, workspaceId, id)
      requireRoleAuthority(call.actor, 'workspace', before.role, body.role)
      if (body.role !== 'owner' && owners.length === 1 && owners[0] === id) throw lastOwner()
      await assignWorkspaceRole(tx, workspaceId, id, body.role)
      await recordEvent(tx, call, {
        action: 'member.updated',
        applicationId: null,
        subject: { type: 'member', id },
        before: { email: before.email, role: before.role },
        after: { email: before.email, role: body.role },
      })
      const hasLost = isPrivilegedRole(before.role) && !isPrivilegedRole(body.role)
      const revoked = hasLost ? await revokeGrantsOf(tx, call, id) : ''
      return { member: { ...before, role: body.role }, revoked }
    })
    return { message: `Member updated.${revoked}`, data: userResource(member, call.config) }
  },
})
