import { Type } from 'typebox'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction } from '../../database/transaction.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { notFound, problem } from '../../lib/problem.ts'
import { requireReleaseOfWorkspace } from '../releases/release.db.ts'
import { changePortal } from './change-portal.ts'
import { insertPortalRelease } from './portal-release.db.ts'
import { requirePortalOfPath } from './portal.db.ts'
import { Portal, PortalId } from './portal.ts'

const published = problem(
  'conflict',
  'portal.release_published',
  'This release is already published in the portal. Withdraw it before you publish it again.',
)

const applicationNotInPortal = problem(
  'conflict',
  'portal.not_selective',
  'The application of this release is not in the portal. Add it with `releases_mode` set to "selective" first.',
)

const notSelective = problem(
  'conflict',
  'portal.not_selective',
  'The portal shows the application of this release with `releases_mode` set to "{mode}". Set it to "selective" to publish individual releases.',
)

export const publishPortalRelease = endpoint({
  method: 'POST',
  path: '/portals/:portal_id/releases',
  scope: { workspace: 'portals:write' },
  summary: 'Publish a release to a portal',
  description:
    "The release's application must be in the portal with `releases_mode` set to `selective`. The portal does not show the release until the release itself is published.",
  params: Type.Object({ portal_id: PortalId }),
  body: Type.Object({ release_id: Type.String({ minLength: 1, maxLength: 255 }) }),
  status: 201,
  refuses: [published, applicationNotInPortal, notSelective],
  returns: one(Portal),
  load: requirePortalOfPath,
  async handle({ portal: { id }, body, ...call }) {
    const release = await requireReleaseOfWorkspace(call.db, call.actor.workspaceId, body.release_id)
    const { application_id: applicationId } = release
    const change = {
      id,
      action: 'portal.release_published' as const,
      applicationId,
      details: { release_id: release.id },
    }
    const data = await conflictsAs(conflicts, () =>
      inTransaction(call.db, (tx) =>
        changePortal(tx, call, change, ({ applications }) => {
          const mode = applications.find((application) => application.id === applicationId)?.releases_mode
          if (mode === undefined) throw applicationNotInPortal()
          if (mode !== 'selective') throw notSelective({ mode })
          const row = { portal_id: id, application_id: applicationId, release_id: release.id }
          return insertPortalRelease(tx, row)
        }),
      ),
    )
    return { message: 'Release published.', data }
  },
})

const conflicts = {
  portal_releases_pkey: published,
  // This constraint is violated if the release was deleted after it was loaded.
  portal_releases_release_id_application_id_fkey: notFound,
}
