import { setTimeout as delay } from 'node:timers/promises'
import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { Message } from '../../http/endpoint/responses.ts'
import { notFound } from '../../lib/problem.ts'
import { assignSessionWorkspace } from '../../sign-in/session.db.ts'
import { sessionCacheMs } from './authenticate-session.ts'
import { listWorkspacesOfUser } from './session.db.ts'

export const replaceSessionWorkspace = endpoint({
  method: 'PUT',
  path: '/session/workspace',
  scope: { workspace: null, application: null, session: 'required' },
  summary: 'Switch the workspace of the session',
  description:
    'Selects the workspace in which the requests of this session act, if the user belongs to several. API keys cannot use this endpoint.',
  body: Type.Object({
    workspace_id: Type.String({
      maxLength: 100,
      description: 'ID of a workspace to which the user belongs.',
    }),
  }),
  returns: Message,
  async handle({ db, actor, body: { workspace_id: workspaceId } }) {
    const { userId, session } = actor
    if (userId === null || session === null) throw notFound()
    const workspaces = await listWorkspacesOfUser(db, userId)
    if (!workspaces.some(({ id }) => id === workspaceId)) throw notFound()
    await assignSessionWorkspace(db, session.id, workspaceId)
    // Nodes cache sessions. After the response, none of them may still act in the previous workspace.
    if (workspaceId !== actor.workspaceId) await delay(sessionCacheMs)
    return { message: 'Workspace switched.' }
  },
})
