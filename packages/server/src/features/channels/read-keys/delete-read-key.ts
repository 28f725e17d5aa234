import { inTransaction } from '../../../database/transaction.ts'
import { recordEvent } from '../../../events/record-event.ts'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { Message } from '../../../http/endpoint/responses.ts'
import { requireLockedChannel, saveChannel } from '../channel.db.ts'
import { requireReadKeyOfPath, revokeReadKey } from './channel-read-key.db.ts'
import { readKeyAuditSnapshot, ReadKeyParams } from './channel-read-key.ts'

export const deleteReadKey = endpoint({
  method: 'DELETE',
  path: '/applications/:application_id/channels/:channel_id/read-keys/:read_key_id',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Revoke a read key',
  description: 'Every node rejects the key within a second. Has no effect on a revoked key.',
  params: ReadKeyParams,
  returns: Message,
  load: requireReadKeyOfPath,
  async handle({ application, channel, readKey, ...call }) {
    await inTransaction(call.db, async (tx) => {
      await requireLockedChannel(tx, application.id, channel.id)
      if (!(await revokeReadKey(tx, readKey.id))) return
      await saveChannel(tx, channel.id)
      await recordEvent(tx, call, {
        action: 'channel_read_key.revoked',
        applicationId: application.id,
        subject: { type: 'channel_read_key', id: readKey.id },
        before: readKeyAuditSnapshot(readKey),
      })
    })
    return { message: 'Read key revoked.' }
  },
})
