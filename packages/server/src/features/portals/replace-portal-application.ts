import { Type } from 'typebox'
import { applicationRef, requireApplication } from '../../access/application.db.ts'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction } from '../../database/transaction.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { invalid } from '../../http/endpoint/validation.ts'
import { notFound } from '../../lib/problem.ts'
import { changePortal } from './change-portal.ts'
import { countStreams, upsertPortalApplication } from './portal-application.db.ts'
import { requirePortal } from './portal.db.ts'
import { Mode, Portal, PortalId } from './portal.ts'

export const replacePortalApplication = endpoint({
  method: 'PUT',
  path: '/portals/:portal_id/applications/:application_id',
  scope: { workspace: 'portals:write' },
  summary: 'Add or update a portal application',
  description:
    'Sets which streams and releases of the application the portal shows. Changing `releases_mode` from `selective` to another mode withdraws the releases that were published individually.',
  params: Type.Object({ portal_id: PortalId, application_id: ApplicationId }),
  body: Type.Object({
    streams_mode: Mode,
    stream_ids: Type.Optional(
      Type.Array(Type.String({ maxLength: 255 }), {
        maxItems: 1000,
        description: 'The streams whose builds are shown. Only allowed if `streams_mode` is `selective`.',
      }),
    ),
    releases_mode: Mode,
  }),
  returns: one(Portal),
  async load({ db, actor, params }) {
    const portal = await requirePortal(db, actor.workspaceId, params.portal_id)
    return { portal, application: await requireApplication(db, actor, params.application_id) }
  },
  async handle({ portal: { id }, application, body, ...call }) {
    const { streams_mode, releases_mode } = body
    const stream_ids = [...new Set(body.stream_ids)]
    if ((await countStreams(call.db, application.id, stream_ids)) < stream_ids.length) throw notFound()
    if (stream_ids.length > 0 && streams_mode !== 'selective')
      throw invalid({ stream_ids: ['is only allowed when `streams_mode` is "selective".'] })
    const ref = applicationRef(application)
    const change = { id, action: 'portal.application_changed' as const, applicationId: application.id }
    const data = await conflictsAs({ portal_streams_stream_id_application_id_fkey: notFound }, () =>
      inTransaction(call.db, (tx) =>
        changePortal(tx, call, change, () =>
          upsertPortalApplication(tx, id, ref, { streams_mode, stream_ids, releases_mode }),
        ),
      ),
    )
    return { message: 'Portal application saved.', data }
  },
})
