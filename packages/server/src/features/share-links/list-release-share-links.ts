import { Type } from 'typebox'
import { listOf } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { requireApplication } from '../applications/application.db.ts'
import { requireRelease } from '../releases/release.db.ts'
import { ReleaseId } from '../releases/release.ts'
import { listShareLinksOf } from './share-link.db.ts'
import { ShareLink, shareLinkResource } from './share-link.ts'

export const listReleaseShareLinks = endpoint({
  method: 'GET',
  path: '/applications/:application_id/releases/:release_id/share-links',
  scope: { workspace: 'share_links:read', application: 'share_links:read' },
  summary: 'List the share links of a release',
  params: Type.Object({ application_id: ApplicationId, release_id: ReleaseId }),
  returns: listOf(ShareLink),
  async visible({ db, actor, params }) {
    const application = await requireApplication(db, actor, params.application_id)
    return { application, release: await requireRelease(db, application.id, params.release_id) }
  },
  async handle({ release, ...call }) {
    const links = await listShareLinksOf(call.db, { releaseId: release.id })
    return { message: 'Share links retrieved.', data: links.map((link) => shareLinkResource(link, call)) }
  },
})
