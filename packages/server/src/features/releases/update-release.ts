import { Type } from 'typebox'
import { one } from '../../http/answers.ts'
import { givenChanges } from '../../http/changes.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { requireApplication } from '../applications/application.db.ts'
import { changeRelease } from './change-release.ts'
import { requireRelease } from './release.db.ts'
import { FullRelease, ReleaseChanges, ReleaseId } from './release.ts'

export const updateRelease = endpoint({
  method: 'PATCH',
  path: '/applications/:application_id/releases/:release_id',
  scope: { workspace: 'releases:write', application: 'releases:write' },
  summary: 'Change a release',
  params: Type.Object({ application_id: ApplicationId, release_id: ReleaseId }),
  body: ReleaseChanges,
  returns: one(FullRelease),
  async visible({ db, actor, params }) {
    const application = await requireApplication(db, actor, params.application_id)
    return { application, release: await requireRelease(db, application.id, params.release_id) }
  },
  async handle({ application, release, body, ...call }) {
    const changes = givenChanges(ReleaseChanges, body)
    return { message: 'Release updated.', data: await changeRelease(call, application, release.id, changes) }
  },
})
