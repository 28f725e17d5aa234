import type { Static } from 'typebox'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import type { Call } from '../../http/endpoint.ts'
import { shortId } from '../../lib/ids.ts'
import { hashPassword } from '../../lib/password.ts'
import { notFound } from '../../lib/problem.ts'
import { insertShareLink, requireBuildToShare, requireLockedShareLink, type Shared } from './share-link.db.ts'
import { type NewShareLink, readExpiry, shareLinkFacts, shareLinkResource } from './share-link.ts'

/** A release or build that is deleted at the same time. */
const conflicts = {
  share_links_release_id_application_id_fkey: notFound,
  share_links_build_id_application_id_fkey: notFound,
}

type Place = { id: string; workspace_id: string }

/** Makes a link to a build or release of the application. */
export async function makeShareLink(
  call: Call,
  application: Place,
  shared: Shared,
  wish: Static<typeof NewShareLink>,
) {
  const expires_at = readExpiry(wish.expires_at, call.clock.now()) ?? null
  const { password = null, max_downloads = null, is_active = true } = wish
  const password_hash = password === null ? null : await hashPassword(password)
  const id = shortId(10)
  const insert = async (tx: Tx) => {
    if ('buildId' in shared) await requireBuildToShare(tx, shared.buildId)
    await insertShareLink(tx, {
      id,
      workspace_id: application.workspace_id,
      application_id: application.id,
      ...('buildId' in shared ? { build_id: shared.buildId } : { release_id: shared.releaseId }),
      is_active,
      password_hash,
      expires_at,
      max_downloads,
      created_by: call.actor.keyId,
    })
    const link = await requireLockedShareLink(tx, id)
    await recordEvent(tx, call, {
      action: 'share_link.created',
      applicationId: application.id,
      subject: { type: 'share_link', id },
      after: shareLinkFacts(link),
    })
    return link
  }
  const row = await conflictsAs(conflicts, () => inTransaction(call.db, insert))
  return { message: 'Share link created.', data: shareLinkResource(row, call) }
}
