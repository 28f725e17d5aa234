import { Type } from 'typebox'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId, BuildId } from '../../http/fields.ts'
import { requireApplication } from '../applications/application.db.ts'
import { requireBuild } from '../builds/build.db.ts'
import { makeShareLink } from './make-share-link.ts'
import { NewShareLink, ShareLink, whoHasTheLink } from './share-link.ts'

export const createBuildShareLink = endpoint({
  method: 'POST',
  path: '/applications/:application_id/builds/:build_id/share-links',
  scope: { workspace: 'share_links:create', application: 'share_links:create' },
  summary: 'Share a build by a link',
  description: whoHasTheLink,
  params: Type.Object({ application_id: ApplicationId, build_id: BuildId }),
  body: NewShareLink,
  status: 201,
  returns: one(ShareLink),
  async visible({ db, actor, params }) {
    const application = await requireApplication(db, actor, params.application_id)
    return { application, build: await requireBuild(db, application.id, params.build_id) }
  },
  async handle({ application, build, body, ...call }) {
    return makeShareLink(call, application, { buildId: build.id }, body)
  },
})
