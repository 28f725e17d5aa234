import { Type } from 'typebox'
import { requireApplication } from '../../access/application.db.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId, BuildId } from '../../http/fields.ts'
import { one } from '../../http/responses.ts'
import { FullBuild, requireFullBuild } from './build.ts'

export const getBuild = endpoint({
  method: 'GET',
  path: '/applications/:application_id/builds/:build_id',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'Get a build',
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
