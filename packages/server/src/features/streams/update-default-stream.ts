import { Type } from 'typebox'
import { conflictsAs, type Conflicts } from '../../database/conflicts.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { givenChanges } from '../../http/endpoint/changes.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { PathId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { requireDefaultStream, requireLockedDefaultStream, saveDefaultStream } from './default-stream.db.ts'
import { nameTaken, Stream, StreamChanges, streamAuditSnapshot } from './stream.ts'

export const updateDefaultStream = endpoint({
  method: 'PATCH',
  path: '/workspace/default-streams/:default_stream_id',
  scope: { workspace: 'workspace:write' },
  summary: 'Update a default stream',
  description: 'Streams of existing applications do not change.',
  params: Type.Object({ default_stream_id: PathId('ID of the default stream.') }),
  body: StreamChanges,
  refuses: [nameTaken],
  returns: one(Stream),
  async load({ db, actor, params }) {
    return { stream: await requireDefaultStream(db, actor.workspaceId, params.default_stream_id) }
  },
  async handle({ stream, body, ...call }) {
    const changes = givenChanges(StreamChanges, body)
    const taken: Conflicts = { default_streams_name: () => nameTaken({ name: changes.name ?? stream.name }) }
    const changed = await conflictsAs(taken, () =>
      inTransaction(call.db, async (tx) => {
        const before = await requireLockedDefaultStream(tx, stream.id)
        const after = await saveDefaultStream(tx, stream.id, changes)
        await recordEvent(tx, call, {
          action: 'default_stream.updated',
          applicationId: null,
          subject: { type: 'default_stream', id: stream.id },
          before: streamAuditSnapshot(before),
          after: streamAuditSnapshot(after),
        })
        return after
      }),
    )
    return { message: 'Default stream updated.', data: changed }
  },
})
