import { lockMember } from '../../access/member.db.ts'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { notFound } from '../../lib/problem.ts'
import { viewResource } from '../builds/views/view.ts'
import {
  findReachableApplicationIds,
  findReachableViewIds,
  listPins,
  replacePinnedApplications,
  replacePinnedViews,
} from './pin.db.ts'
import { PinChanges, Pins } from './pin.ts'

export const updatePins = endpoint({
  method: 'PATCH',
  path: '/pins',
  scope: { workspace: null, application: null, session: 'required' },
  summary: 'Change your pins',
  description: 'Each given list replaces the pinned applications or views of the workspace and their order.',
  body: PinChanges,
  returns: one(Pins),
  async handle({ db, actor, body: { application_ids: applicationIds, view_ids: viewIds } }) {
    const replace = async (tx: Tx) => {
      await lockMember(tx, actor)
      if (applicationIds !== undefined) {
        const found = await findReachableApplicationIds(tx, actor, applicationIds)
        if (found.length < applicationIds.length) throw notFound()
        await replacePinnedApplications(tx, actor, applicationIds)
      }
      if (viewIds !== undefined) {
        const found = await findReachableViewIds(tx, actor, viewIds)
        if (found.length < viewIds.length) throw notFound()
        await replacePinnedViews(tx, actor, viewIds)
      }
      return listPins(tx, actor)
    }
    const isPurged = {
      pinned_applications_application_id_fkey: notFound,
      pinned_views_view_id_fkey: notFound,
    }
    const { application_ids, views } = await conflictsAs(isPurged, () => inTransaction(db, replace))
    return { message: 'Pins updated.', data: { application_ids, views: views.map(viewResource) } }
  },
})
