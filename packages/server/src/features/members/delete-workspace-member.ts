import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { Message } from '../../http/endpoint/responses.ts'
import { lastOwner, requireRoleAuthority, UserId, workspaceRoleProblems } from './member.ts'
import { revokeGrantsOf } from './revoke-grants.ts'
import { listLockedOwners, removeWorkspaceMember, requireWorkspaceMember } from './workspace-member.db.ts'

export const deleteWorkspaceMember = endpoint({
  method: 'DELETE',
  path: '/workspace/members/:user_id',
  scope: { workspace: 'members:write' },
  summary: 'Remove a member from the workspace',
  description:
    'Also removes the member from all applications of the workspace, and revokes the API keys, trusted publishers and open invitations that the member created. Only owners, and keys with every workspace scope, can remove owners. Admins can remove other members.',
  params: Type.Object({ user_id: UserId }),
  refuses: [lastOwner, ...workspaceRoleProblems],
  returns: Message,
  async load({ db, actor, params }) {
    return { member: await requireWorkspaceMember(db, actor.workspaceId, params.user_id) }
  },
  async handle({ member: { id }, ...call }) {
    const { workspaceId } = call.actor
    const revoked = await inTransaction(call.db, async (tx) => {
      const owners = await listLockedOwners(tx, workspaceId)
      const before = await requireWorkspaceMember(tx, workspaceId, id)
      requireRoleAuthority(call.actor, 'workspace', before.role)
      if (owners.length === 1 && owners[0] === id) throw lastOwner()
      await removeWorkspaceMember(tx, workspaceId, id)
      await recordEvent(tx, call, {
        action: 'member.deleted',
        applicationId: null,
        subject: { type: 'member', id },
        before: { email: before.email, role: before.role },
      })
      return revokeGrantsOf(tx, call, id)
    })
    return { message: `Member removed.${revoked}` }
  },
})
