import { Type } from 'typebox'
import { one } from '../../http/answers.ts'
import { givenChanges } from '../../http/changes.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId, BuildId } from '../../http/fields.ts'
import { requireApplication } from '../applications/application.db.ts'
import { requireBuild } from './build.db.ts'
import { FullBuild } from './build.ts'
import { BuildChanges, changeBuild } from './change-build.ts'

export const updateBuild = endpoint({
  method: 'PATCH',
  path: '/applications/:application_id/builds/:build_id',
  scope: { workspace: 'builds:write', application: 'builds:write' },
  summary: 'Change a build',
  params: Type.Object({ application_id: ApplicationId, build_id: BuildId }),
  body: BuildChanges,
  returns: one(FullBuild),
  async visible({ db, actor, params }) {
    const application = await requireApplication(db, actor, params.application_id)
    return { application, build: await requireBuild(db, application.id, params.build_id) }
  },
  async handle({ application, build, body, ...call }) {
    const changes = givenChanges(BuildChanges, body)
    return { message: 'Build updated.', data: await changeBuild(call, application, build.id, changes) }
  },
})
