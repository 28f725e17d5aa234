import { Type } from 'typebox'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId, BuildId } from '../../http/fields.ts'
import { requireApplication } from '../applications/application.db.ts'
import { requireBuild } from './build.db.ts'
import { FullBuild } from './build.ts'
import { ArchitectureIdentifiers, changeBuild } from './change-build.ts'

export const replaceBuildArchitectures = endpoint({
  method: 'PUT',
  path: '/applications/:application_id/builds/:build_id/architectures',
  scope: { workspace: 'builds:write', application: 'builds:write' },
  summary: 'Replace the architectures of a build',
  params: Type.Object({ application_id: ApplicationId, build_id: BuildId }),
  body: Type.Object({ architectures: ArchitectureIdentifiers }),
  returns: one(FullBuild),
  async visible({ db, actor, params }) {
    const application = await requireApplication(db, actor, params.application_id)
    return { application, build: await requireBuild(db, application.id, params.build_id) }
  },
  async handle({ application, build, body, ...call }) {
    const data = await changeBuild(call, application, build.id, { architectures: body.architectures })
    return { message: 'Architectures replaced.', data }
  },
})
