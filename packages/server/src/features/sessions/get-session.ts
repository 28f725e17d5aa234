import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { Session, sessionResource } from './session.ts'

export const getSession = endpoint({
  method: 'GET',
  path: '/session',
  scope: { workspace: null, application: null, session: 'required' },
  summary: 'Get the session',
  description:
    'Returns the signed-in user with the scopes of the role in the workspace and in each application. API keys cannot use this endpoint.',
  returns: one(Session),
  async handle(call) {
    return { message: 'Session retrieved.', data: await sessionResource(call) }
  },
})
