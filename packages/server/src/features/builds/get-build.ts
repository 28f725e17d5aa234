import { Type } from 'typebox'
import { requireApplication } from '../../access/application.db.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId, BuildId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { requireFullBuild } from './build.db.ts'
import { FullBuild } from './build.ts'

export const getBuild = endpoint({
  method: 'GET',
  path: '/applications/:application_id/builds/:build_id',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'Get a build',
  description:
    'Returns everything that is known about the build: files with checksums, labels, metadata read from the package, the CI run, and what keeps the build from being deleted.',
  params: Type.Object({ application_id: ApplicationId, build_id: BuildId }),
  returns: one(FullBuild),
  async load({ db, actor, params, config }) {
    const { id } = await requireApplication(db, actor, params.application_id)
    return { build: await requireFullBuild(db, id, params.build_id, config) }
  },
  async handle({ build }) {
    return { message: 'Build retrieved.', data: build }
  },
})
