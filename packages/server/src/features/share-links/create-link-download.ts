import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint.ts'
import { notFound } from '../../lib/problem.ts'
import { downloadFields, downloadLinks } from '../builds/download.ts'
import { requireGrant, requireUsableLink, shareLinkParams } from './share-link-access.ts'
import { downloadSelection, findSelectedBuild, recordShareLinkDownload } from './share-link-download.ts'

export const createLinkDownload = endpoint({
  method: 'POST',
  path: '/public/share-links/:share_link_id/:share_token/downloads',
  scope: 'public',
  summary: 'Create download links via share link',
  description: 'Each call counts as one download. Returns 410 once the link has reached its download limit.',
  params: shareLinkParams,
  body: Type.Object(downloadSelection),
  refuses: [403],
  returns: Type.Object({ message: Type.String(), ...downloadFields }),
  load: requireUsableLink,
  async handle({ link, body, ...call }) {
    requireGrant(call, link, body.grant)
    const build = await findSelectedBuild(call.db, link, body.build_id)
    if (build === undefined) throw notFound()
    const links = await downloadLinks(call, build.id)
    await recordShareLinkDownload(call, link, build)
    return { message: 'Download links created.', ...links }
  },
})
