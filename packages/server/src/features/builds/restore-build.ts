import { Type } from 'typebox'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId, BuildId } from '../../http/fields.ts'
import { requireApplication } from '../applications/application.db.ts'
import { requireBuildOrTrashed } from './build-trash.db.ts'
import { FullBuild } from './build.ts'
import { untrashBuild } from './trash-build.ts'

export const restoreBuild = endpoint({
  method: 'POST',
  path: '/applications/:application_id/builds/:build_id/restore',
  scope: { workspace: 'builds:write', application: 'builds:write' },
  summary: 'Take a build out of the trash',
  params: Type.Object({ application_id: ApplicationId, build_id: BuildId }),
  returns: one(FullBuild),
  async visible({ db, actor, params }) {
    const application = await requireApplication(db, actor, params.application_id)
    return { application, build: await requireBuildOrTrashed(db, application.id, params.build_id) }
  },
  async handle({ application, build, ...call }) {
    const data = await untrashBuild(call, application.id, build.id)
    const isDue = data.expires_at !== null && Date.parse(data.expires_at) <= call.clock.now().getTime()
    const note = isDue ? ' Retention takes it again within the hour: set keep_forever to keep it.' : ''
    return { message: `Build restored.${note}`, data }
  },
})
