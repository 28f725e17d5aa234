import { Type } from 'typebox'
import { requireApplicationOfPath, requireLockedApplication } from '../../access/application.db.ts'
import { identifiersOf } from '../../catalog/named-entries.ts'
import { platformResource, platforms } from '../../catalog/platforms.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { listOf } from '../../http/endpoint/responses.ts'
import { problem } from '../../lib/problem.ts'
import {
  deleteApplicationPlatforms,
  insertApplicationPlatforms,
  listAttachedPlatforms,
  listPlatformsInUse,
} from './platform.db.ts'
import { Platform, requirePlatforms } from './platform.ts'

const platformsInUse = problem(
  'conflict',
  'application.platform_in_use',
  'The application has builds (including those in the trash) or unfinished uploads for {platforms}. Keep these platforms in the list.',
)

export const replacePlatforms = endpoint({
  method: 'PUT',
  path: '/applications/:application_id/platforms',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Replace the platforms of an application',
  description:
    'Platforms that have builds (including those in the trash) or unfinished uploads cannot be removed.',
  params: Type.Object({ application_id: ApplicationId }),
  body: Type.Object({
    platforms: Type.Array(Type.String({ maxLength: 50 }), {
      minItems: 1,
      maxItems: 50,
      description: `Any of: ${identifiersOf(platforms)}.`,
      examples: [['generic']],
    }),
  }),
  refuses: [platformsInUse],
  returns: listOf(Platform),
  load: requireApplicationOfPath,
  async handle({ application: { id }, body, ...call }) {
    const requested = requirePlatforms(body.platforms)
    const attached = await inTransaction(call.db, async (tx) => {
      await requireLockedApplication(tx, id)
      const before = await listAttachedPlatforms(tx, id)
      const removed = before.filter((slug) => !requested.includes(slug))
      const inUse = await listPlatformsInUse(tx, id, removed)
      if (inUse.length > 0) throw platformsInUse({ platforms: inUse.join(', ') })
      await deleteApplicationPlatforms(tx, id, removed)
      await insertApplicationPlatforms(
        tx,
        id,
        requested.filter((slug) => !before.includes(slug)),
      )
      const after = await listAttachedPlatforms(tx, id)
      await recordEvent(tx, call, {
        action: 'application.platforms_replaced',
        applicationId: id,
        subject: { type: 'application', id },
        before: { platforms: before },
        after: { platforms: after },
      })
      return after
    })
    return { message: 'Platforms replaced.', data: attached.map(platformResource) }
  },
})
