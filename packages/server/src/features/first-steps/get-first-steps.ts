import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { findFirstSteps } from './first-step.db.ts'
import { FirstSteps, firstSteps } from './first-steps.ts'

export const getFirstSteps = endpoint({
  method: 'GET',
  path: '/first-steps',
  scope: { workspace: null, application: null, session: 'required' },
  summary: 'Get the first steps',
  description:
    'Returns the steps with which people start to use a workspace, and whether somebody has taken them. They are read from what the workspace contains.',
  returns: one(FirstSteps),
  async handle({ db, actor }) {
    return { message: 'First steps retrieved.', data: firstSteps(actor, await findFirstSteps(db, actor)) }
  },
})
