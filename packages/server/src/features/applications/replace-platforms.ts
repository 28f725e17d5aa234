import { Type } from 'typebox'
import { identifiersOf } from '../../catalog/named-entries.ts'
import { platformResource, platforms } from '../../catalog/platforms.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { listOf } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { Problem } from '../../lib/problem.ts'
import { listAttachedPlatforms } from '../platforms/platform.db.ts'
import { Platform } from '../platforms/platform.ts'
import {
  deleteApplicationPlatforms,
  insertApplicationPlatforms,
  listPlatformsInUse,
  requireApplicationOfPath,
  requireLockedApplication,
} from './application.db.ts'
import { requirePlatforms } from './application.ts'

export const replacePlatforms = endpoint({
  method: 'PUT',
  path: '/applications/:application_id/platforms',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Replace the platforms of an application',
  description: 'A platform that has builds, also in the trash, or unfinished uploads cannot be left out.',
  params: Type.Object({ application_id: ApplicationId }),
  body: Type.Object({
    platforms: Type.Array(Type.String({ maxLength: 50 }), {
      minItems: 1,
      maxItems: 50,
      description: `Of: ${identifiersOf(platforms)}.`,
      examples: [['generic']],
    }),
  }),
  returns: listOf(Platform),
  visible: requireApplicationOfPath,
  async handle({ application: { id }, body, ...call }) {
    const wanted = requirePlatforms(body.platforms)
    const attached = await inTransaction(call.db, async (tx) => {
      await requireLockedApplication(tx, id)
      const before = await listAttachedPlatforms(tx, id)
      const dropped = before.filter((slug) => !wanted.includes(slug))
      const used = await listPlatformsInUse(tx, id, dropped)
      if (used.length > 0) throw inUse(used)
      await deleteApplicationPlatforms(tx, id, dropped)
      await insertApplicationPlatforms(
        tx,
        id,
        wanted.filter((slug) => !before.includes(slug)),
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

const inUse = (slugs: string[]): Problem =>
  new Problem(
    'conflict',
    'application.platform_in_use',
    `There are builds (perhaps in the trash) or unfinished uploads for ${slugs.join(', ')}: that cannot be left out.`,
  )
