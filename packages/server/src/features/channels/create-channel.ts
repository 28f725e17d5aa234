import { Type } from 'typebox'
import { requireApplicationLock, requireApplicationOfPath } from '../../access/application.db.ts'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { requireStreamId } from '../streams/stream.db.ts'
import { countChannels, insertChannel, requireChannel } from './channel.db.ts'
import {
  Channel,
  channelAuditSnapshot,
  channelConflicts,
  channelResource,
  maxChannels,
  nameTaken,
  NewChannel,
  streamGone,
  tooManyChannels,
} from './channel.ts'

export const createChannel = endpoint({
  method: 'POST',
  path: '/applications/:application_id/channels',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Create a channel',
  description:
    'Publishes the builds of a stream, or the releases of the application, to clients that update themselves.',
  params: Type.Object({ application_id: ApplicationId }),
  body: NewChannel,
  status: 201,
  refuses: [nameTaken, streamGone, tooManyChannels],
  returns: one(Channel),
  load: requireApplicationOfPath,
  async handle({ application, body, ...call }) {
    const { stream = null, includes_prereleases = false, formats, access = 'public' } = body
    const data = await conflictsAs(channelConflicts, () =>
      inTransaction(call.db, async (tx) => {
        await requireApplicationLock(tx, application.id)
        if ((await countChannels(tx, application.id)) >= maxChannels)
          throw tooManyChannels({ max: maxChannels })
        const stream_id = stream === null ? null : await requireStreamId(tx, application.id, stream)
        const fields = { name: body.name.trim(), stream_id, includes_prereleases, formats, access }
        const id = await insertChannel(tx, application, fields)
        // The insert waits for a deletion of the stream that has begun. The stream may be moving its builds since.
        if (stream_id !== null) await requireStreamId(tx, application.id, stream_id)
        const row = await requireChannel(tx, application.id, id)
        await recordEvent(tx, call, {
          action: 'channel.created',
          applicationId: application.id,
          subject: { type: 'channel', id },
          after: channelAuditSnapshot(row),
        })
        return channelResource(row, call)
      }),
    )
    return { message: 'Channel created.', data }
  },
})
