import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { Message } from '../../http/endpoint/responses.ts'
import { removeShareLink, requireLockedShareLink, requireShareLink } from './share-link.db.ts'
import { shareLinkAuditSnapshot, ShareLinkId } from './share-link.ts'

export const deleteShareLink = endpoint({
  method: 'DELETE',
  path: '/share-links/:share_link_id',
  scope: { workspace: 'share_links:write', application: 'share_links:write' },
  summary: 'Delete a share link',
  description:
    'Deletes the link permanently: its URL returns 404 from then on. To keep a record of it, revoke it instead with `is_active` set to `false`.',
  params: Type.Object({ share_link_id: ShareLinkId }),
  returns: Message,
  async load({ db, actor, params }) {
    return { link: await requireShareLink(db, actor, params.share_link_id) }
  },
  async handle({ link, ...call }) {
    await inTransaction(call.db, async (tx) => {
      const before = await requireLockedShareLink(tx, link.id)
      await removeShareLink(tx, link.id)
      await recordEvent(tx, call, {
        action: 'share_link.deleted',
        applicationId: link.application_id,
        subject: { type: 'share_link', id: link.id },
        before: shareLinkAuditSnapshot(before),
      })
    })
    return { message: 'Share link deleted.' }
  },
})
