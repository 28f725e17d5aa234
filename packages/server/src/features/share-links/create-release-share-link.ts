import { Type } from 'typebox'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { requireApplication } from '../applications/application.db.ts'
import { requireRelease } from '../releases/release.db.ts'
import { ReleaseId } from '../releases/release.ts'
import { makeShareLink } from './make-share-link.ts'
import { NewShareLink, ShareLink, whoHasTheLink } from './share-link.ts'

export const createReleaseShareLink = endpoint({
  method: 'POST',
  path: '/applications/:application_id/releases/:release_id/share-links',
  scope: { workspace: 'share_links:create', application: 'share_links:create' },
  summary: 'Share a release by a link',
  description: whoHasTheLink,
  params: Type.Object({ application_id: ApplicationId, release_id: ReleaseId }),
  body: NewShareLink,
  status: 201,
  returns: one(ShareLink),
  async visible({ db, actor, params }) {
    const application = await requireApplication(db, actor, params.application_id)
    return { application, release: await requireRelease(db, application.id, params.release_id) }
  },
  async handle({ application, release, body, ...call }) {
    return makeShareLink(call, application, { releaseId: release.id }, body)
  },
})
