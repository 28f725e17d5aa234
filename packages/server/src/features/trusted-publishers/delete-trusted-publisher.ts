import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { Message } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { updateApiKeysOfPublisherRevoked } from '../api-keys/api-key.db.ts'
import { requireApplicationLock } from '../applications/application.db.ts'
import { requireTrustedPublisherOfPath } from './trusted-publisher-of-path.ts'
import { deleteTrustedPublisherRow, requireTrustedPublisher } from './trusted-publisher.db.ts'
import { trustedPublisherFacts, TrustedPublisherId } from './trusted-publisher.ts'

export const deleteTrustedPublisher = endpoint({
  method: 'DELETE',
  path: '/applications/:application_id/trusted-publishers/:trusted_publisher_id',
  scope: { workspace: 'api_keys:write' },
  summary: 'Trust a publisher no longer',
  description: 'The keys it has let in are refused on every node within a second.',
  params: Type.Object({ application_id: ApplicationId, trusted_publisher_id: TrustedPublisherId }),
  returns: Message,
  visible: requireTrustedPublisherOfPath,
  async handle({ application, publisher: { id }, ...call }) {
    await inTransaction(call.db, async (tx) => {
      await requireApplicationLock(tx, application.id)
      const before = await requireTrustedPublisher(tx, application.id, id)
      const revoked = await updateApiKeysOfPublisherRevoked(tx, application.id, id)
      await deleteTrustedPublisherRow(tx, id)
      await recordEvent(tx, call, {
        action: 'trusted_publisher.deleted',
        applicationId: application.id,
        subject: { type: 'trusted_publisher', id },
        before: trustedPublisherFacts(before),
        after: { revoked_keys: revoked },
      })
    })
    return { message: 'Trusted publisher deleted.' }
  },
})
