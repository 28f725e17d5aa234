import { Type } from 'typebox'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId, BuildId } from '../../http/fields.ts'
import { requireApplication } from '../applications/application.db.ts'
import { requireBuild } from './build.db.ts'
import { FullBuild } from './build.ts'
import { StreamIdentifier, changeBuild } from './change-build.ts'

export const moveBuild = endpoint({
  method: 'PUT',
  path: '/applications/:application_id/builds/:build_id/stream',
  scope: { workspace: 'builds:write', application: 'builds:write' },
  summary: 'Move a build to another stream',
  params: Type.Object({ application_id: ApplicationId, build_id: BuildId }),
  body: Type.Object({ stream: StreamIdentifier }),
  returns: one(FullBuild),
  async visible({ db, actor, params }) {
    const application = await requireApplication(db, actor, params.application_id)
    return { application, build: await requireBuild(db, application.id, params.build_id) }
  },
  async handle({ application, build, body, ...call }) {
    const data = await changeBuild(call, application, build.id, { stream: body.stream })
    return { message: 'Build moved.', data }
  },
})
