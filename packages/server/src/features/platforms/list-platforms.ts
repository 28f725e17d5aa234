import { Type } from 'typebox'
import { requireApplicationOfPath } from '../../access/application.db.ts'
import { platformResource } from '../../catalog/platforms.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { listOf } from '../../http/endpoint/responses.ts'
import { listAttachedPlatforms } from './platform.db.ts'
import { Platform } from './platform.ts'

export const listPlatforms = endpoint({
  method: 'GET',
  path: '/applications/:application_id/platforms',
  scope: { workspace: 'applications:read', application: 'application:read' },
  summary: 'List platforms',
  description: 'Lists the platforms that the application supports. Uploads for other platforms are rejected.',
  params: Type.Object({ application_id: ApplicationId }),
  returns: listOf(Platform),
  load: requireApplicationOfPath,
  async handle({ db, application }) {
    const slugs = await listAttachedPlatforms(db, application.id)
    return { message: 'Platforms retrieved.', data: slugs.map(platformResource) }
  },
})
