import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { descriptionFrom } from '../../http/endpoint/changes.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { insertApplicationPlatforms } from '../platforms/platform.db.ts'
import { requirePlatforms } from '../platforms/platform.ts'
import { insertStreamsFromDefaults } from '../streams/stream.db.ts'
import { insertApplication } from './application.db.ts'
import { NewApplication, SingleApplication, singleApplication } from './application.ts'

export const createApplication = endpoint({
  method: 'POST',
  path: '/applications',
  scope: { workspace: 'applications:create' },
  summary: 'Create an application',
  description:
    'Copies the default streams of the workspace into the application. Without `platforms`, the application accepts generic builds only.',
  body: NewApplication,
  status: 201,
  returns: one(SingleApplication),
  async handle({ db, actor, address, config, body }) {
    const platforms = requirePlatforms(body.platforms?.length ? body.platforms : ['generic'])
    const application = await inTransaction(db, async (tx) => {
      const { workspaceId } = actor
      const description = descriptionFrom(body.description)
      const row = await insertApplication(tx, { workspaceId, name: body.name.trim(), description })
      await insertApplicationPlatforms(tx, row.id, platforms)
      await insertStreamsFromDefaults(tx, workspaceId, row.id)
      await recordEvent(
        tx,
        { actor, address },
        {
          action: 'application.created',
          applicationId: row.id,
          subject: { type: 'application', id: row.id },
          after: { name: row.name, description, platforms },
        },
      )
      return row
    })
    return { message: 'Application created.', data: await singleApplication({ db, config }, application) }
  },
})
