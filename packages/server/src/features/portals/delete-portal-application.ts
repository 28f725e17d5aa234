import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { Message } from '../../http/endpoint/responses.ts'
import { notFound } from '../../lib/problem.ts'
import { changePortal } from './change-portal.ts'
import { removePortalApplication } from './portal-application.db.ts'
import { requirePortal } from './portal.db.ts'
import { PortalId } from './portal.ts'

export const deletePortalApplication = endpoint({
  method: 'DELETE',
  path: '/portals/:portal_id/applications/:application_id',
  scope: { workspace: 'portals:write' },
  summary: 'Remove an application from a portal',
  description:
    'Removes the application with its streams and releases from the portal. The application itself is not deleted.',
  params: Type.Object({ portal_id: PortalId, application_id: ApplicationId }),
  returns: Message,
  async load({ db, actor, params }) {
    const portal = await requirePortal(db, actor.workspaceId, params.portal_id)
    if (!portal.applications.some(({ id }) => id === params.application_id)) throw notFound()
    return { portal }
  },
  async handle({ portal: { id }, params, ...call }) {
    const applicationId = params.application_id
    await inTransaction(call.db, (tx) =>
      changePortal(tx, call, { id, action: 'portal.application_removed', applicationId }, async () => {
        if (!(await removePortalApplication(tx, id, applicationId))) throw notFound()
      }),
    )
    return { message: 'Application removed from the portal.' }
  },
})
