import { Type } from 'typebox'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { one } from '../../http/answers.ts'
import { givenChanges } from '../../http/changes.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId, PathId } from '../../http/fields.ts'
import { requireApplication } from '../applications/application.db.ts'
import { requireLockedStream, requireStream, updateStream as updateRow } from './stream.db.ts'
import { nameTaken, SingleStream, StreamChanges, streamFacts } from './stream.ts'

export const updateStream = endpoint({
  method: 'PATCH',
  path: '/applications/:application_id/streams/:stream_identifier',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Change a stream',
  params: Type.Object({
    application_id: ApplicationId,
    stream_identifier: PathId('Id or name of the stream.'),
  }),
  body: StreamChanges,
  returns: one(SingleStream),
  async visible({ db, actor, params }) {
    const application = await requireApplication(db, actor, params.application_id)
    return { application, stream: await requireStream(db, application.id, params.stream_identifier) }
  },
  async handle({ application, stream, body, ...call }) {
    const changes = givenChanges(StreamChanges, body)
    const changed = await conflictsAs({ streams_name: () => nameTaken(changes.name ?? stream.name) }, () =>
      inTransaction(call.db, async (tx) => {
        const before = await requireLockedStream(tx, stream.id)
        const after = await updateRow(tx, stream.id, changes)
        await recordEvent(tx, call, {
          action: 'stream.updated',
          applicationId: application.id,
          subject: { type: 'stream', id: stream.id },
          before: streamFacts(before),
          after: streamFacts(after),
        })
        return after
      }),
    )
    const { id: application_id, workspace_id } = application
    return { message: 'Stream updated.', data: { ...changed, application_id, workspace_id } }
  },
})
