import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { viewResource } from '../builds/views/view.ts'
import { listPins } from './pin.db.ts'
import { Pins } from './pin.ts'

export const getPins = endpoint({
  method: 'GET',
  path: '/pins',
  scope: { workspace: null, application: null, session: 'required' },
  summary: 'Get your pins',
  description: 'Returns the applications and saved views that you have pinned to the sidebar of the console.',
  returns: one(Pins),
  async handle({ db, actor }) {
    const { application_ids, views } = await listPins(db, actor)
    return { message: 'Pins retrieved.', data: { application_ids, views: views.map(viewResource) } }
  },
})
