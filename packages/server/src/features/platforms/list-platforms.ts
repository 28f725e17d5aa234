import { Type } from 'typebox'
import { platformResource } from '../../catalog/platforms.ts'
import { listOf } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { requireApplicationOfPath } from '../applications/application.db.ts'
import { listAttachedPlatforms } from './platform.db.ts'
import { Platform } from './platform.ts'

export const listPlatforms = endpoint({
  method: 'GET',
  path: '/applications/:application_id/platforms',
  scope: { workspace: 'applications:read', application: 'application:read' },
  summary: 'List the platforms of an application',
  params: Type.Object({ application_id: ApplicationId }),
  returns: listOf(Platform),
  visible: requireApplicationOfPath,
  async handle({ db, application }) {
    const slugs = await listAttachedPlatforms(db, application.id)
    return { message: 'Platforms retrieved.', data: slugs.map(platformResource) }
  },
})
