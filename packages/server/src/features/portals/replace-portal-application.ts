import { Type } from 'typebox'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction } from '../../database/transaction.ts'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { invalid } from '../../http/validation.ts'
import { notFound } from '../../lib/problem.ts'
import { requireApplication } from '../applications/application.db.ts'
import { changePortal } from './change-portal.ts'
import { findStreamCount, updatePortalApplication } from './portal-application.db.ts'
import { requirePortal } from './portal.db.ts'
import { Mode, Portal, PortalId } from './portal.ts'

export const replacePortalApplication = endpoint({
  method: 'PUT',
  path: '/portals/:portal_id/applications/:application_id',
  scope: { workspace: 'portals:write' },
  summary: 'Show an application in a portal, or change what is shown of it',
  description: 'Leaving releases_mode selective takes back the releases that were published by themselves.',
  params: Type.Object({ portal_id: PortalId, application_id: ApplicationId }),
  body: Type.Object({
    streams_mode: Mode,
    stream_ids: Type.Optional(
      Type.Array(Type.String({ maxLength: 255 }), {
        maxItems: 100,
        description: 'With streams_mode selective: the streams whose builds are shown.',
      }),
    ),
    releases_mode: Mode,
  }),
  returns: one(Portal),
  async visible({ db, actor, params }) {
    const portal = await requirePortal(db, actor.workspaceId, params.portal_id)
    return { portal, application: await requireApplication(db, actor, params.application_id) }
  },
  async handle({ portal: { id }, application, body, ...call }) {
    const { streams_mode, releases_mode } = body
    const stream_ids = [...new Set(body.stream_ids)]
    if ((await findStreamCount(call.db, application.id, stream_ids)) < stream_ids.length) throw notFound()
    if (stream_ids.length > 0 && streams_mode !== 'selective')
      throw invalid({ stream_ids: ['goes with streams_mode selective only.'] })
    const place = { portalId: id, applicationId: application.id, workspaceId: call.actor.workspaceId }
    const what = { id, action: 'portal.application_changed' as const, applicationId: application.id }
    const gone = () => notFound()
    const data = await conflictsAs({ portal_streams_stream_id_application_id_fkey: gone }, () =>
      inTransaction(call.db, (tx) =>
        changePortal(tx, call, what, () =>
          updatePortalApplication(tx, place, { streams_mode, stream_ids, releases_mode }),
        ),
      ),
    )
    return { message: 'Application is in the portal.', data }
  },
})
