import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { Message } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { PathId } from '../../http/fields.ts'
import { notFound } from '../../lib/problem.ts'
import { requireReleaseOfWorkspace } from '../releases/release.db.ts'
import { changePortal } from './change-portal.ts'
import { deletePortalReleaseRow } from './portal-release.db.ts'
import { requirePortal } from './portal.db.ts'
import { PortalId } from './portal.ts'

export const withdrawPortalRelease = endpoint({
  method: 'DELETE',
  path: '/portals/:portal_id/releases/:release_id',
  scope: { workspace: 'portals:write' },
  summary: 'Take a published release back from a portal',
  params: Type.Object({ portal_id: PortalId, release_id: PathId('Id of the release.') }),
  returns: Message,
  async visible({ db, actor, params }) {
    const portal = await requirePortal(db, actor.workspaceId, params.portal_id)
    return { portal, release: await requireReleaseOfWorkspace(db, actor.workspaceId, params.release_id) }
  },
  async handle({ portal: { id }, release, ...call }) {
    const { application_id: applicationId } = release
    const what = {
      id,
      action: 'portal.release_withdrawn' as const,
      applicationId,
      note: { release_id: release.id },
    }
    await inTransaction(call.db, (tx) =>
      changePortal(tx, call, what, async () => {
        if (!(await deletePortalReleaseRow(tx, id, release.id))) throw notFound()
      }),
    )
    return { message: 'Release taken back.' }
  },
})
