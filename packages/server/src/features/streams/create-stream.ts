import { Type } from 'typebox'
import { requireApplicationOfPath } from '../../access/application.db.ts'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { descriptionFrom } from '../../http/endpoint/changes.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { insertStream, requireNameIsNoId } from './stream.db.ts'
import { nameIsId, nameTaken, NewStream, SingleStream, streamAuditSnapshot } from './stream.ts'

export const createStream = endpoint({
  method: 'POST',
  path: '/applications/:application_id/streams',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Create a stream',
  description:
    'Creates a stream to which builds can be uploaded. Its name must be unique within the application.',
  params: Type.Object({ application_id: ApplicationId }),
  body: NewStream,
  status: 201,
  refuses: [nameTaken, nameIsId],
  returns: one(SingleStream),
  load: requireApplicationOfPath,
  async handle({ application, body, ...call }) {
    const { retention_days = null } = body
    const description = descriptionFrom(body.description)
    const fields = { name: body.name.trim(), description, retention_days }
    const stream = await conflictsAs({ streams_name: () => nameTaken({ name: fields.name }) }, () =>
      inTransaction(call.db, async (tx) => {
        await requireNameIsNoId(tx, application.id, fields.name)
        const row = await insertStream(tx, application.id, fields)
        await recordEvent(tx, call, {
          action: 'stream.created',
          applicationId: application.id,
          subject: { type: 'stream', id: row.id },
          after: streamAuditSnapshot(row),
        })
        return row
      }),
    )
    const { id: application_id, workspace_id } = application
    return { message: 'Stream created.', data: { ...stream, application_id, workspace_id } }
  },
})
