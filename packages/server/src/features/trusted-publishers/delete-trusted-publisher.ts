import { Type } from 'typebox'
import { lockApplications, requireApplicationLock } from '../../access/application.db.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { recordEvent, type Initiator } from '../../events/record-event.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { Message } from '../../http/endpoint/responses.ts'
import { revokeApiKeysOfPublisher } from '../api-keys/api-key.db.ts'
import {
  findTrustedPublisher,
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
      await deleteLocked(tx, call, application.id, id)
    })
    return { message: 'Trusted publisher deleted.' }
  },
})

/**
 * Deletes trusted publishers, which may belong to several applications, including applications in the trash. Revokes
 * the keys that they issued.
 */
export async function deleteTrustedPublishers(
  tx: Tx,
  by: Initiator,
  publishers: readonly { id: string; application_id: string }[],
): Promise<void> {
  const applicationIds = [...new Set(publishers.map(({ application_id }) => application_id))]
  // The lock prevents the publishers from issuing keys before they are deleted.
  await lockApplications(tx, applicationIds)
  for (const { id, application_id } of publishers)
    if ((await findTrustedPublisher(tx, application_id, id)) !== undefined)
      await deleteLocked(tx, by, application_id, id)
}

/** Deletes a trusted publisher and revokes its keys. The caller must have locked the application. */
async function deleteLocked(tx: Tx, by: Initiator, applicationId: string, id: string): Promise<void> {
  const before = await requireTrustedPublisher(tx, applicationId, id)
  const revoked = await revokeApiKeysOfPublisher(tx, applicationId, id)
  await removeTrustedPublisher(tx, id)
  await recordEvent(tx, by, {
    action: 'trusted_publisher.deleted',
    applicationId,
    subject: { type: 'trusted_publisher', id },
    before: trustedPublisherAuditSnapshot(before),
    after: { revoked_keys: revoked },
  })
}
