import { Type } from 'typebox'
import { requireApplicationLock } from '../../access/application.db.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { Message } from '../../http/responses.ts'
import { revokeApiKeysOfPublisher } from '../api-keys/api-key.db.ts'
import {
  removeTrustedPublisher,
  requireTrustedPublisher,
  requireTrustedPublisherOfPath,
} from './trusted-publisher.db.ts'
import { trustedPublisherAuditSnapshot, TrustedPublisherId } from './trusted-publisher.ts'

export const deleteTrustedPublisher = endpoint({
  method: 'DELETE',
  path: '/applications/:application_id/trusted-publishers/:trusted_publisher_id',
  scope: { workspace: 'api_keys:write' },
  summary: 'Delete a trusted publisher',
  description: 'Revokes the keys that were issued through it; every node rejects them within one second.',
  params: Type.Object({ application_id: ApplicationId, trusted_publisher_id: TrustedPublisherId }),
  returns: Message,
  load: requireTrustedPublisherOfPath,
  async handle({ application, publisher: { id }, ...call }) {
    await inTransaction(call.db, async (tx) => {
      await requireApplicationLock(tx, application.id)
      const before = await requireTrustedPublisher(tx, application.id, id)
      const revoked = await revokeApiKeysOfPublisher(tx, application.id, id)
      await removeTrustedPublisher(tx, id)
      await recordEvent(tx, call, {
        action: 'trusted_publisher.deleted',
        applicationId: application.id,
        subject: { type: 'trusted_publisher', id },
        before: trustedPublisherAuditSnapshot(before),
        after: { revoked_keys: revoked },
      })
    })
    return { message: 'Trusted publisher deleted.' }
  },
})
