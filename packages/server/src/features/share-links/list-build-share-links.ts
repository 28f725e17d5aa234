import { Type } from 'typebox'
import { listOf } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId, BuildId } from '../../http/fields.ts'
import { requireApplication } from '../applications/application.db.ts'
import { requireBuild } from '../builds/build.db.ts'
import { listShareLinksOf } from './share-link.db.ts'
import { ShareLink, shareLinkResource } from './share-link.ts'

export const listBuildShareLinks = endpoint({
  method: 'GET',
  path: '/applications/:application_id/builds/:build_id/share-links',
  scope: { workspace: 'share_links:read', application: 'share_links:read' },
  summary: 'List the share links of a build',
  params: Type.Object({ application_id: ApplicationId, build_id: BuildId }),
  returns: listOf(ShareLink),
  async visible({ db, actor, params }) {
    const application = await requireApplication(db, actor, params.application_id)
    return { application, build: await requireBuild(db, application.id, params.build_id) }
  },
  async handle({ build, ...call }) {
    const links = await listShareLinksOf(call.db, { buildId: build.id })
    return { message: 'Share links retrieved.', data: links.map((link) => shareLinkResource(link, call)) }
  },
})
