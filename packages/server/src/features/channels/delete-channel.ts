import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { Message } from '../../http/endpoint/responses.ts'
import { removeChannel, requireChannelOfPath, requireLockedChannel } from './channel.db.ts'
import { channelAuditSnapshot, ChannelParams } from './channel.ts'

export const deleteChannel = endpoint({
  method: 'DELETE',
  path: '/applications/:application_id/channels/:channel_id',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Delete a channel',
  description:
    'Installed copies that use the channel no longer find updates. Its read keys and rollouts are deleted with it, its builds and releases are not.',
  params: ChannelParams,
  returns: Message,
  load: requireChannelOfPath,
  async handle({ application, channel: { id }, ...call }) {
    await inTransaction(call.db, async (tx) => {
      const before = await requireLockedChannel(tx, application.id, id)
      await removeChannel(tx, id)
      await recordEvent(tx, call, {
        action: 'channel.deleted',
        applicationId: application.id,
        subject: { type: 'channel', id },
        before: channelAuditSnapshot(before),
      })
    })
    return { message: 'Channel deleted.' }
  },
})
