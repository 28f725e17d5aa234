import { Type } from 'typebox'
import { passwordsBusy } from '../../crypto/password-threads.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { beyondLifetime, isBeyondLifetime } from '../../http/endpoint/lifetime.ts'
import { one } from '../../http/endpoint/responses.ts'
import { problem } from '../../lib/problem.ts'
import { deleteGuesses } from './share-link-guess.db.ts'
import { prepareShareLink, tooManyPasswords } from './share-link-password.ts'
import { requireLockedShareLink, requireShareLink, saveShareLink } from './share-link.db.ts'
import {
  ShareLink,
  ShareLinkChanges,
  shareLinkAuditSnapshot,
  ShareLinkId,
  shareLinkResource,
} from './share-link.ts'

const tooFewDownloads = problem(
  'conflict',
  'share_link.already_used',
  'The download count of this link is already {count}. Set `max_downloads` to at least that number.',
)

export const updateShareLink = endpoint({
  method: 'PATCH',
  path: '/share-links/:share_link_id',
  scope: { workspace: 'share_links:write', application: 'share_links:write' },
  summary: 'Update a share link',
  description:
    'Set `is_active` to `false` to revoke the link. To reactivate a link that would outlive your key, set `expires_at` as well.',
  params: Type.Object({ share_link_id: ShareLinkId }),
  body: ShareLinkChanges,
  refuses: [tooFewDownloads, tooManyPasswords, passwordsBusy],
  returns: one(ShareLink),
  async load({ db, actor, params }) {
    return { link: await requireShareLink(db, actor, params.share_link_id) }
  },
  prepare: (call) => prepareShareLink(call),
  async handle({ link, body, expires_at, password_hash, ...call }) {
    const { is_active, max_downloads, feedback_enabled } = body
    const changed = await inTransaction(call.db, async (tx) => {
      const before = await requireLockedShareLink(tx, link.id)
      if (typeof max_downloads === 'number' && max_downloads < before.download_count)
        throw tooFewDownloads({ count: before.download_count })
      // Reactivating a link grants access again, so the caller must be allowed to grant its current expiry.
      if (is_active === true && !before.is_active && expires_at === undefined) {
        const current = before.expires_at === null ? null : new Date(before.expires_at)
        if (isBeyondLifetime(current, call.actor)) throw beyondLifetime(call.actor)
      }
      await saveShareLink(tx, link.id, {
        is_active: is_active ?? before.is_active,
        ...(password_hash === undefined ? {} : { password_hash }),
        ...(expires_at === undefined ? {} : { expires_at }),
        ...(max_downloads === undefined ? {} : { max_downloads }),
        ...(feedback_enabled === undefined ? {} : { feedback_enabled }),
      })
      if (password_hash !== undefined) await deleteGuesses(tx, link.id)
      const after = await requireLockedShareLink(tx, link.id)
      await recordEvent(tx, call, {
        action: 'share_link.updated',
        applicationId: link.application_id,
        subject: { type: 'share_link', id: link.id },
        before: shareLinkAuditSnapshot(before),
        after: {
          ...shareLinkAuditSnapshot(after),
          ...(password_hash === undefined ? {} : { password_changed: true }),
        },
      })
      return after
    })
    return { message: 'Share link updated.', data: shareLinkResource(changed, call) }
  },
})
