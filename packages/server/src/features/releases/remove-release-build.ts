import { Type } from 'typebox'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId, BuildId } from '../../http/fields.ts'
import { requireApplication } from '../applications/application.db.ts'
import { requireBuild } from '../builds/build.db.ts'
import { changeRelease } from './change-release.ts'
import { requireRelease } from './release.db.ts'
import { FullRelease, ReleaseId } from './release.ts'

export const removeReleaseBuild = endpoint({
  method: 'DELETE',
  path: '/applications/:application_id/releases/:release_id/builds/:build_id',
  scope: { workspace: 'releases:write', application: 'releases:write' },
  summary: 'Take a build out of a release',
  params: Type.Object({ application_id: ApplicationId, release_id: ReleaseId, build_id: BuildId }),
  returns: one(FullRelease),
  async visible({ db, actor, params }) {
    const application = await requireApplication(db, actor, params.application_id)
    const release = await requireRelease(db, application.id, params.release_id)
    return { application, release, build: await requireBuild(db, application.id, params.build_id) }
  },
  async handle({ application, release, build, ...call }) {
    const data = await changeRelease(call, application, release.id, { removeBuild: build.id })
    return { message: 'Build removed.', data }
  },
})
