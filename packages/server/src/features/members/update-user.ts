import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { name } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { notFound } from '../../lib/problem.ts'
import { User, userResource } from './member.ts'
import { renameWorkspaceMember, requireWorkspaceMember } from './workspace-member.db.ts'

export const updateUser = endpoint({
  method: 'PATCH',
  path: '/users/me',
  scope: { workspace: null, application: null, session: 'required' },
  summary: 'Update your profile',
  description:
    'Sets the name of the signed-in user in the workspace of the session. API keys cannot use this endpoint.',
  body: Type.Object({
    name: name(100, 'Name that the other members of the workspace see.'),
  }),
  returns: one(User),
  async handle({ body, ...call }) {
    const { userId, workspaceId } = call.actor
    if (userId === null) throw notFound()
    const user = await inTransaction(call.db, async (tx) => {
      const before = await requireWorkspaceMember(tx, workspaceId, userId)
      const newName = body.name.trim()
      if (newName === before.name) return before
      await renameWorkspaceMember(tx, workspaceId, userId, newName)
      await recordEvent(tx, call, {
        action: 'member.updated',
        applicationId: null,
        subject: { type: 'member', id: userId },
        before: { name: before.name },
        after: { name: newName },
      })
      return { ...before, name: newName }
    })
    const { id, name: current, email, profile_photo_url } = userResource(user, call.config)
    return { message: 'Profile updated.', data: { id, name: current, email, profile_photo_url } }
  },
})
