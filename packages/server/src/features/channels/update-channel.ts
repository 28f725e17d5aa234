import { isDeepStrictEqual } from 'node:util'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { givenChanges } from '../../http/endpoint/changes.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { requireStreamId } from '../streams/stream.db.ts'
import { requireChannel, requireChannelOfPath, requireLockedChannel, saveChannel } from './channel.db.ts'
import {
  Channel,
  channelAuditSnapshot,
  ChannelChanges,
  channelConflicts,
  ChannelParams,
  channelResource,
  nameTaken,
  streamGone,
} from './channel.ts'

export const updateChannel = endpoint({
  method: 'PATCH',
  path: '/applications/:application_id/channels/:channel_id',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Update a channel',
  description: 'Changes only the given fields. Clients see the change within a second.',
  params: ChannelParams,
  body: ChannelChanges,
  refuses: [nameTaken, streamGone],
  returns: one(Channel),
  load: requireChannelOfPath,
  async handle({ application, channel: { id }, body, ...call }) {
    const { stream, ...changes } = givenChanges(ChannelChanges, body)
    const data = await conflictsAs(channelConflicts, () =>
      inTransaction(call.db, async (tx) => {
        const before = await requireLockedChannel(tx, application.id, id)
        const stream_id = stream && (await requireStreamId(tx, application.id, stream))
        const values = { ...changes, ...(stream_id === undefined ? {} : { stream_id }) }
        const known: Record<string, unknown> = before
        const hasChanged = Object.entries(values).some(
          ([name, value]) => !isDeepStrictEqual(known[name], value),
        )
        if (hasChanged) await saveChannel(tx, id, values)
        // As in `createChannel`, the stream may be moving its builds since.
        if (typeof stream_id === 'string') await requireStreamId(tx, application.id, stream_id)
        const after = await requireChannel(tx, application.id, id)
        await recordEvent(tx, call, {
          action: 'channel.updated',
          applicationId: application.id,
          subject: { type: 'channel', id },
          before: channelAuditSnapshot(before),
          after: channelAuditSnapshot(after),
        })
        return channelResource(after, call)
      }),
    )
    return { message: 'Channel updated.', data }
  },
})
