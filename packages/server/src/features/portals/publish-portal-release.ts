import { Type } from 'typebox'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction } from '../../database/transaction.ts'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { notFound, Problem } from '../../lib/problem.ts'
import { requireReleaseOfWorkspace } from '../releases/release.db.ts'
import { changePortal } from './change-portal.ts'
import { requirePortalOfPath } from './portal-of-path.ts'
import { insertPortalRelease } from './portal-release.db.ts'
import { Portal, PortalId } from './portal.ts'

export const publishPortalRelease = endpoint({
  method: 'POST',
  path: '/portals/:portal_id/releases',
  scope: { workspace: 'portals:write' },
  summary: 'Publish a release in a portal',
  description: 'Its application must be in the portal with releases_mode selective.',
  params: Type.Object({ portal_id: PortalId }),
  body: Type.Object({ release_id: Type.String({ minLength: 1, maxLength: 255 }) }),
  status: 201,
  returns: one(Portal),
  visible: requirePortalOfPath,
  async handle({ portal: { id }, body, ...call }) {
    const release = await requireReleaseOfWorkspace(call.db, call.actor.workspaceId, body.release_id)
    const { application_id: applicationId } = release
    const what = {
      id,
      action: 'portal.release_published' as const,
      applicationId,
      note: { release_id: release.id },
    }
    const data = await conflictsAs(conflicts, () =>
      inTransaction(call.db, (tx) =>
        changePortal(tx, call, what, ({ applications }) => {
          const shown = applications.find((application) => application.id === applicationId)
          if (shown?.releases_mode !== 'selective') throw notSelective(shown?.releases_mode)
          const row = { portal_id: id, application_id: applicationId, release_id: release.id }
          return insertPortalRelease(tx, row)
        }),
      ),
    )
    return { message: 'Release published.', data }
  },
})

const published = (): Problem =>
  new Problem('conflict', 'portal.release_published', 'This release is published in the portal already.')

const notSelective = (mode: string | undefined): Problem =>
  new Problem(
    'conflict',
    'portal.not_selective',
    mode === undefined
      ? 'The application of this release is not in the portal: put it there with releases_mode selective.'
      : `The portal shows its application with releases_mode ${mode}: only selective takes single releases.`,
  )

const conflicts = {
  portal_releases_pkey: published,
  // deleted at the same time
  portal_releases_release_id_application_id_fkey: notFound,
}
