import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { Message } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { PathId } from '../../http/fields.ts'
import {
  deleteDefaultStreamRow,
  requireDefaultStream,
  requireLockedDefaultStream,
} from './default-stream.db.ts'
import { streamFacts } from './stream.ts'

export const deleteDefaultStream = endpoint({
  method: 'DELETE',
  path: '/workspace/default-streams/:default_stream_id',
  scope: { workspace: 'workspace:write' },
  summary: 'Delete a template; applications that have their copy keep it',
  params: Type.Object({ default_stream_id: PathId('Id of the default stream.') }),
  returns: Message,
  async visible({ db, actor, params }) {
    return { stream: await requireDefaultStream(db, actor.workspaceId, params.default_stream_id) }
  },
  async handle({ stream, ...call }) {
    await inTransaction(call.db, async (tx) => {
      const before = await requireLockedDefaultStream(tx, stream.id)
      await deleteDefaultStreamRow(tx, stream.id)
      await recordEvent(tx, call, {
        action: 'default_stream.deleted',
        applicationId: null,
        subject: { type: 'default_stream', id: stream.id },
        before: streamFacts(before),
      })
    })
    return { message: 'Default stream deleted.' }
  },
})
