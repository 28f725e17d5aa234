import { Type } from 'typebox'
import { endpoint, type Call } from '../../http/endpoint/endpoint.ts'
import { ApplicationId, BuildId } from '../../http/endpoint/fields.ts'
import { listOf } from '../../http/endpoint/responses.ts'
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
  description: 'Lists the share links of the build, including revoked and expired ones.',
  params: Type.Object({ application_id: ApplicationId, build_id: BuildId }),
  load: requireBuildToShareOfPath,
})

export const listReleaseShareLinks = endpoint({
  ...definition,
  path: '/applications/:application_id/releases/:release_id/share-links',
  summary: 'List release share links',
  description: 'Lists the share links of the release, including revoked and expired ones.',
  params: Type.Object({ application_id: ApplicationId, release_id: ReleaseId }),
  load: requireReleaseToShareOfPath,
})
