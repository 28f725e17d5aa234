import { Type } from 'typebox'
import { requireApplication } from '../../access/application.db.ts'
import { architectureResource } from '../../catalog/architectures.ts'
import { architecturesOf } from '../../catalog/platforms.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId, PathId } from '../../http/endpoint/fields.ts'
import { listOf } from '../../http/endpoint/responses.ts'
import { notFound } from '../../lib/problem.ts'
import { listAttachedPlatforms } from './platform.db.ts'
import { Architecture } from './platform.ts'

export const listArchitectures = endpoint({
  method: 'GET',
  path: '/applications/:application_id/platforms/:platform/architectures',
  scope: { workspace: 'applications:read', application: 'application:read' },
  summary: 'List platform architectures',
  description: 'Lists the architectures that builds for the platform can have.',
  params: Type.Object({ application_id: ApplicationId, platform: PathId('Slug of an attached platform.') }),
  returns: listOf(Architecture),
  async load({ db, actor, params }) {
    const application = await requireApplication(db, actor, params.application_id)
    if (!(await listAttachedPlatforms(db, application.id)).includes(params.platform)) throw notFound()
    return {}
  },
  async handle({ params }) {
    return {
      message: 'Architectures retrieved.',
      data: architecturesOf(params.platform).map(architectureResource),
    }
  },
})
