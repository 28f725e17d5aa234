import { Type } from 'typebox'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { requireApplication } from '../applications/application.db.ts'
import { changeRelease } from './change-release.ts'
import { requireRelease } from './release.db.ts'
import { FullRelease, ReleaseLabels, ReleaseId } from './release.ts'

export const replaceReleaseLabels = endpoint({
  method: 'PUT',
  path: '/applications/:application_id/releases/:release_id/labels',
  scope: { workspace: 'releases:write', application: 'releases:write' },
  summary: 'Replace the labels of a release',
  params: Type.Object({ application_id: ApplicationId, release_id: ReleaseId }),
  body: Type.Object({ labels: ReleaseLabels }),
  returns: one(FullRelease),
  async visible({ db, actor, params }) {
    const application = await requireApplication(db, actor, params.application_id)
    return { application, release: await requireRelease(db, application.id, params.release_id) }
  },
  async handle({ application, release, body, ...call }) {
    const data = await changeRelease(call, application, release.id, { labels: body.labels })
    return { message: 'Labels replaced.', data }
  },
})
