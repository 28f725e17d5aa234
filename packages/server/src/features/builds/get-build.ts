import { Type } from 'typebox'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId, BuildId } from '../../http/fields.ts'
import { requireApplication } from '../applications/application.db.ts'
import { requireFullBuild } from './build.db.ts'
import { FullBuild } from './build.ts'

export const getBuild = endpoint({
  method: 'GET',
  path: '/applications/:application_id/builds/:build_id',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'Get a build with its files and artifacts',
  params: Type.Object({ application_id: ApplicationId, build_id: BuildId }),
  returns: one(FullBuild),
  async visible({ db, actor, params, config }) {
    const { id } = await requireApplication(db, actor, params.application_id)
    return { build: await requireFullBuild(db, id, params.build_id, config) }
  },
  async handle({ build }) {
    return { message: 'Build retrieved.', data: build }
  },
})
