import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { PathId } from '../../http/endpoint/fields.ts'
import { Message } from '../../http/endpoint/responses.ts'
import { notFound } from '../../lib/problem.ts'
import { requireReleaseOfWorkspace } from '../releases/release.db.ts'
import { changePortal } from './change-portal.ts'
import { removePortalRelease } from './portal-release.db.ts'
import { requirePortal } from './portal.db.ts'
import { PortalId } from './portal.ts'

export const withdrawPortalRelease = endpoint({
  method: 'DELETE',
  path: '/portals/:portal_id/releases/:release_id',
  scope: { workspace: 'portals:write' },
  summary: 'Withdraw a release from a portal',
  description: 'Removes a release that was published in the portal. The release itself stays published.',
  params: Type.Object({ portal_id: PortalId, release_id: PathId('ID of the release.') }),
  returns: Message,
  async load({ db, actor, params }) {
    const portal = await requirePortal(db, actor.workspaceId, params.portal_id)
    return { portal, release: await requireReleaseOfWorkspace(db, actor.workspaceId, params.release_id) }
  },
  async handle({ portal: { id }, release, ...call }) {
    const { application_id: applicationId } = release
    const change = {
      id,
      action: 'portal.release_withdrawn' as const,
      applicationId,
      details: { release_id: release.id },
    }
    await inTransaction(call.db, (tx) =>
      changePortal(tx, call, change, async () => {
        if (!(await removePortalRelease(tx, id, release.id))) throw notFound()
      }),
    )
    return { message: 'Release withdrawn.' }
  },
})
