import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { givenChanges } from '../../http/endpoint/changes.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { requireLockedStream, requireNameIsNoId, requireStreamOfPath, saveStream } from './stream.db.ts'
import {
  nameIsId,
  nameTaken,
  SingleStream,
  streamAuditSnapshot,
  StreamChanges,
  StreamParams,
} from './stream.ts'

export const updateStream = endpoint({
  method: 'PATCH',
  path: '/applications/:application_id/streams/:stream_identifier',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Update a stream',
  description:
    'Changes only the given fields. A new retention also applies to the builds that are already in the stream.',
  params: StreamParams,
  body: StreamChanges,
  refuses: [nameTaken, nameIsId],
  returns: one(SingleStream),
  load: requireStreamOfPath,
  async handle({ application, stream, body, ...call }) {
    const changes = givenChanges(StreamChanges, body)
    const changed = await conflictsAs(
      { streams_name: () => nameTaken({ name: changes.name ?? stream.name }) },
      () =>
        inTransaction(call.db, async (tx) => {
          const before = await requireLockedStream(tx, stream.id)
          if (changes.name !== undefined) await requireNameIsNoId(tx, application.id, changes.name)
          const after = await saveStream(tx, stream.id, changes)
          await recordEvent(tx, call, {
            action: 'stream.updated',
            applicationId: application.id,
            subject: { type: 'stream', id: stream.id },
            before: streamAuditSnapshot(before),
            after: streamAuditSnapshot(after),
          })
          return after
        }),
    )
    const { id: application_id, workspace_id } = application
    return { message: 'Stream updated.', data: { ...changed, application_id, workspace_id } }
  },
})
