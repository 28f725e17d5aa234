import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { User, UserId, userResource } from './member.ts'
import { requireWorkspaceMember } from './workspace-member.db.ts'

export const getUser = endpoint({
  method: 'GET',
  path: '/users/:user_id',
  scope: { workspace: null, application: null },
  summary: 'Get a user',
  description: 'Returns a member of the workspace.',
  params: Type.Object({ user_id: UserId }),
  returns: one(User),
  async load({ db, actor, params }) {
    return { member: await requireWorkspaceMember(db, actor.workspaceId, params.user_id) }
  },
  async handle({ actor, config, member }) {
    const { id, name, email, profile_photo_url } = userResource(member, config)
    const data = { id, name, email: actor.scopes.has('members:read') ? email : null, profile_photo_url }
    return { message: 'User retrieved.', data }
  },
})
