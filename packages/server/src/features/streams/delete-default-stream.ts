import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { PathId } from '../../http/endpoint/fields.ts'
import { Message } from '../../http/endpoint/responses.ts'
import { removeDefaultStream, requireDefaultStream, requireLockedDefaultStream } from './default-stream.db.ts'
import { streamAuditSnapshot } from './stream.ts'

export const deleteDefaultStream = endpoint({
  method: 'DELETE',
  path: '/workspace/default-streams/:default_stream_id',
  scope: { workspace: 'workspace:write' },
  summary: 'Delete a default stream',
  description: 'Streams of existing applications are kept.',
  params: Type.Object({ default_stream_id: PathId('ID of the default stream.') }),
  returns: Message,
  async load({ db, actor, params }) {
    return { stream: await requireDefaultStream(db, actor.workspaceId, params.default_stream_id) }
  },
  async handle({ stream, ...call }) {
    await inTransaction(call.db, async (tx) => {
      const before = await requireLockedDefaultStream(tx, stream.id)
      await removeDefaultStream(tx, stream.id)
      await recordEvent(tx, call, {
        action: 'default_stream.deleted',
        applicationId: null,
        subject: { type: 'default_stream', id: stream.id },
        before: streamAuditSnapshot(before),
      })
    })
    return { message: 'Default stream deleted.' }
  },
})
