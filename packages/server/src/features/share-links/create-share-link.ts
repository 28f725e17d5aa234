import { Type, type Static } from 'typebox'
import { passwordsBusy } from '../../crypto/password-threads.ts'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint, type Call } from '../../http/endpoint/endpoint.ts'
import { ApplicationId, BuildId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { shortId } from '../../lib/ids.ts'
import { notFound } from '../../lib/problem.ts'
import { ReleaseId } from '../releases/release.ts'
import { prepareShareLink, tooManyPasswords } from './share-link-password.ts'
import {
  insertShareLink,
  requireBuildToShare,
  requireBuildToShareOfPath,
  requireLockedShareLink,
  requireReleaseToShareOfPath,
  type Shareable,
} from './share-link.db.ts'
import { NewShareLink, ShareLink, shareLinkAuditSnapshot, shareLinkResource } from './share-link.ts'

type Input = Call & { shareable: Shareable; body: Static<typeof NewShareLink> }
type Prepared = Awaited<ReturnType<typeof prepareShareLink>>

// These constraints are violated if the build or release was deleted after it was loaded.
const conflicts = {
  share_links_release_id_application_id_fkey: notFound,
  share_links_build_id_application_id_fkey: notFound,
}

const definition = {
  method: 'POST',
  scope: { workspace: 'share_links:create', application: 'share_links:create' },
  description:
    'Anyone who has the returned `url` can use the link without a key. GET the URL to see what is shared. If the link has a password, POST it to `{url}/grants` to get a grant. POST to `{url}/downloads`, with the grant if there is one, to get download links. A link to a release works only while the release is published. A link cannot outlive an expiring key that creates it; a link created by a CI run cannot outlive the trusted publisher of the run.',
  body: NewShareLink,
  status: 201,
  refuses: [tooManyPasswords, passwordsBusy],
  returns: one(ShareLink),
  prepare: (call: Input) => prepareShareLink({ ...call, body: { expires_at: null, ...call.body } }),
  async handle({ shareable, body, expires_at = null, password_hash = null, ...call }: Input & Prepared) {
    const { applicationId, workspaceId, build_id, release_id } = shareable
    const { max_downloads = null, is_active = true, feedback_enabled = false } = body
    const id = shortId(10)
    const link = await conflictsAs(conflicts, () =>
      inTransaction(call.db, async (tx) => {
        if (build_id !== null) await requireBuildToShare(tx, build_id)
        await insertShareLink(tx, {
          id,
          workspace_id: workspaceId,
          application_id: applicationId,
          build_id,
          release_id,
          is_active,
          password_hash,
          expires_at,
          max_downloads,
          feedback_enabled,
          created_by: call.actor.id,
        })
        const row = await requireLockedShareLink(tx, id)
        await recordEvent(tx, call, {
          action: 'share_link.created',
          applicationId,
          subject: { type: 'share_link', id },
          after: shareLinkAuditSnapshot(row),
        })
        return row
      }),
    )
    return { message: 'Share link created.', data: shareLinkResource(link, call) }
  },
} as const

export const createBuildShareLink = endpoint({
  ...definition,
  path: '/applications/:application_id/builds/:build_id/share-links',
  summary: 'Create a build share link',
  params: Type.Object({ application_id: ApplicationId, build_id: BuildId }),
  load: requireBuildToShareOfPath,
})

export const createReleaseShareLink = endpoint({
  ...definition,
  path: '/applications/:application_id/releases/:release_id/share-links',
  summary: 'Create a release share link',
  params: Type.Object({ application_id: ApplicationId, release_id: ReleaseId }),
  load: requireReleaseToShareOfPath,
})
