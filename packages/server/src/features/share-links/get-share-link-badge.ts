import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { FileResponse } from '../../http/endpoint/file-response.ts'
import { notFound } from '../../lib/problem.ts'
import { badgeDescription, badgeOf, badgeParams, badgeQuery, servedBadges } from '../badges/badge.ts'
import { passwordRequired, requireOpenLink, shareLinkParams, shareLinkProblems } from './share-link-access.ts'
import { DownloadSelection, findSelectedBuild } from './share-link-download.ts'

const { platform, architecture, version } = DownloadSelection.properties

export const getShareLinkBadge = endpoint({
  method: 'GET',
  path: '/public/share-links/:share_link_id/:share_token/badge/:format',
  scope: 'public',
  summary: 'Get a badge via share link',
  description: badgeDescription,
  params: Type.Object({ ...shareLinkParams.properties, ...badgeParams }),
  query: Type.Object({ platform, architecture, version, ...badgeQuery }),
  serves: servedBadges,
  refuses: [...shareLinkProblems, passwordRequired],
  returns: FileResponse,
  load: requireOpenLink,
  async handle({ link, ...call }) {
    if (link.password_hash !== null) throw passwordRequired()
    const build = await findSelectedBuild(call.db, link, call.query)
    if (build === undefined) throw notFound()
    return badgeOf(call, build)
  },
})
