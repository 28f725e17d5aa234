import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { findFirstSteps, saveFirstStepChoices } from './first-step.db.ts'
import { FirstStepChanges, FirstSteps, firstSteps } from './first-steps.ts'

export const updateFirstSteps = endpoint({
  method: 'PATCH',
  path: '/first-steps',
  scope: { workspace: null, application: null, session: 'required' },
  summary: 'Hide or show the first steps',
  description: 'Changes only what you see yourself.',
  body: FirstStepChanges,
  returns: one(FirstSteps),
  async handle({ db, actor, body: { hidden, phone_card_hidden } }) {
    await saveFirstStepChoices(db, actor, {
      ...(hidden === undefined ? {} : { hides_steps: hidden }),
      ...(phone_card_hidden === undefined ? {} : { hides_phone_card: phone_card_hidden }),
    })
    return { message: 'First steps updated.', data: firstSteps(actor, await findFirstSteps(db, actor)) }
  },
})
