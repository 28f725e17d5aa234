import { Type } from 'typebox'
import { findPlatform } from '../../catalog/platforms.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { name, Nullable, text } from '../../http/fields.ts'
import { invalid } from '../../http/validation.ts'
import { insertStreamsFromDefaults } from '../streams/stream.db.ts'
import { insertApplication, insertApplicationPlatforms } from './application.db.ts'
import { applicationResource, SingleApplication } from './application.ts'

export const createApplication = endpoint({
  method: 'POST',
  path: '/applications',
  scope: { workspace: 'applications:create' },
  summary: 'Create an application',
  description:
    'Copies the default streams of the workspace into it. Without `platforms` it takes generic builds only.',
  body: Type.Object({
    name: name(100, 'Name for people.'),
    description: Type.Optional(Nullable(text(1000))),
    platforms: Type.Optional(
      Type.Array(Type.String({ maxLength: 50 }), { maxItems: 50, description: 'Platform slugs.' }),
    ),
  }),
  status: 201,
  returns: one(SingleApplication),
  async handle({ db, actor, address, body }) {
    const platforms = requirePlatforms(body.platforms ?? [])
    const application = await inTransaction(db, async (tx) => {
      const { workspaceId } = actor
      const description = body.description ?? null
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
    return {
      message: 'Application created.',
      data: { ...applicationResource(application, 0), build_count: 0 },
    }
  },
})

function requirePlatforms(slugs: string[]): string[] {
  const errors: Record<string, string[]> = {}
  for (const [index, slug] of slugs.entries()) {
    if (findPlatform(slug) === undefined) errors[`platforms.${index}`] = [`"${slug}" is not a platform.`]
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return slugs.length === 0 ? ['generic'] : [...new Set(slugs)]
}
