import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { descriptionFrom } from '../../http/endpoint/changes.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { insertDefaultStream } from './default-stream.db.ts'
import { nameTaken, NewStream, Stream, streamAuditSnapshot } from './stream.ts'

export const createDefaultStream = endpoint({
  method: 'POST',
  path: '/workspace/default-streams',
  scope: { workspace: 'workspace:write' },
  summary: 'Create a default stream',
  description: 'Default streams are copied into each new application.',
  body: NewStream,
  status: 201,
  refuses: [nameTaken],
  returns: one(Stream),
  async handle({ body, ...call }) {
    const { retention_days = null } = body
    const description = descriptionFrom(body.description)
    const fields = { name: body.name.trim(), description, retention_days }
    const stream = await conflictsAs({ default_streams_name: () => nameTaken({ name: fields.name }) }, () =>
      inTransaction(call.db, async (tx) => {
        const row = await insertDefaultStream(tx, call.actor.workspaceId, fields)
        await recordEvent(tx, call, {
          action: 'default_stream.created',
          applicationId: null,
          subject: { type: 'default_stream', id: row.id },
          after: streamAuditSnapshot(row),
        })
        return row
      }),
    )
    return { message: 'Default stream created.', data: stream }
  },
})
