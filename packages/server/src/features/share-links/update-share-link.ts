import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { hashPassword } from '../../lib/password.ts'
import { Problem } from '../../lib/problem.ts'
import { requireLockedShareLink, requireShareLink, updateShareLinkRow } from './share-link.db.ts'
import {
  readExpiry,
  ShareLink,
  ShareLinkChanges,
  shareLinkFacts,
  ShareLinkId,
  shareLinkResource,
} from './share-link.ts'

export const updateShareLink = endpoint({
  method: 'PATCH',
  path: '/share-links/:share_link_id',
  scope: { workspace: 'share_links:write', application: 'share_links:write' },
  summary: 'Change or revoke a share link',
  params: Type.Object({ share_link_id: ShareLinkId }),
  body: ShareLinkChanges,
  returns: one(ShareLink),
  async visible({ db, actor, params }) {
    return { link: await requireShareLink(db, actor, params.share_link_id) }
  },
  async handle({ link, body, ...call }) {
    const { is_active, password, max_downloads } = body
    const expires_at = readExpiry(body.expires_at, call.clock.now())
    const hash = typeof password === 'string' ? await hashPassword(password) : password
    const changed = await inTransaction(call.db, async (tx) => {
      const before = await requireLockedShareLink(tx, link.id)
      if (typeof max_downloads === 'number' && max_downloads < before.download_count)
        throw new Problem(
          'conflict',
          'share_link.already_used',
          `This link was used ${before.download_count} times already.`,
        )
      await updateShareLinkRow(tx, link.id, {
        is_active: is_active ?? before.is_active,
        ...(hash === undefined ? {} : { password_hash: hash }),
        ...(expires_at === undefined ? {} : { expires_at }),
        ...(max_downloads === undefined ? {} : { max_downloads }),
      })
      const after = await requireLockedShareLink(tx, link.id)
      await recordEvent(tx, call, {
        action: 'share_link.updated',
        applicationId: link.application_id,
        subject: { type: 'share_link', id: link.id },
        before: shareLinkFacts(before),
        after: { ...shareLinkFacts(after), ...(hash === undefined ? {} : { password_changed: true }) },
      })
      return after
    })
    return { message: 'Share link updated.', data: shareLinkResource(changed, call) }
  },
})
