import { Type } from 'typebox'
import { endpoint, type Call } from '../../http/endpoint.ts'
import { ApplicationId, BuildId } from '../../http/fields.ts'
import { listOf } from '../../http/responses.ts'
import { ReleaseId } from '../releases/release.ts'
import {
  listShareLinks,
  requireBuildToShareOfPath,
  requireReleaseToShareOfPath,
  type Shareable,
} from './share-link.db.ts'
import { ShareLink, shareLinkResource } from './share-link.ts'

const definition = {
  method: 'GET',
  scope: { workspace: 'share_links:read', application: 'share_links:read' },
  returns: listOf(ShareLink),
  async handle({ shareable, ...call }: Call & { shareable: Shareable }) {
    const links = await listShareLinks(call.db, shareable)
    return { message: 'Share links retrieved.', data: links.map((link) => shareLinkResource(link, call)) }
  },
} as const

export const listBuildShareLinks = endpoint({
  ...definition,
  path: '/applications/:application_id/builds/:build_id/share-links',
  summary: 'List build share links',
  params: Type.Object({ application_id: ApplicationId, build_id: BuildId }),
  load: requireBuildToShareOfPath,
})

export const listReleaseShareLinks = endpoint({
  ...definition,
  path: '/applications/:application_id/releases/:release_id/share-links',
  summary: 'List release share links',
  params: Type.Object({ application_id: ApplicationId, release_id: ReleaseId }),
  load: requireReleaseToShareOfPath,
})
