import { Type } from 'typebox'
import { Message } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { requireApplication } from '../applications/application.db.ts'
import { dropRelease } from './change-release.ts'
import { requireRelease } from './release.db.ts'
import { ReleaseId } from './release.ts'

export const deleteRelease = endpoint({
  method: 'DELETE',
  path: '/applications/:application_id/releases/:release_id',
  scope: { workspace: 'releases:write', application: 'releases:write' },
  summary: 'Delete a release',
  description: 'Its builds stay; its share links go.',
  params: Type.Object({ application_id: ApplicationId, release_id: ReleaseId }),
  returns: Message,
  async visible({ db, actor, params }) {
    const application = await requireApplication(db, actor, params.application_id)
    return { application, release: await requireRelease(db, application.id, params.release_id) }
  },
  async handle({ application, release, ...call }) {
    await dropRelease(call, application.id, release.id)
    return { message: 'Release deleted.' }
  },
})
