import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint.ts'
import { Redirect } from '../../http/redirect.ts'
import { invalid } from '../../http/validation.ts'
import { notFound } from '../../lib/problem.ts'
import { primaryFileLink } from '../builds/download.ts'
import {
  requireDownloadsLeft,
  requireGrant,
  requireOpenLink,
  requireUsableLink,
  shareLinkParams,
} from './share-link-access.ts'
import {
  downloadSelection,
  findDownloadToResume,
  findSelectedBuild,
  recordShareLinkDownload,
} from './share-link-download.ts'

export const downloadLinkBuild = endpoint({
  method: 'GET',
  path: '/public/share-links/:share_link_id/:share_token/download',
  scope: 'public',
  summary: 'Download a build via share link',
  description:
    'Redirects browsers and `curl -L -OJ` to the primary file. Each call counts as one download, with two exceptions: HEAD, which returns the same response without the `Location` header, and resuming an interrupted download (`curl -C -`, or a `Range` that starts after the first byte) while the first `Location` URL is valid. Returns 410 once the link has reached its download limit, and 507 if a link with a limit cannot count the download because the disk is full.',
  params: shareLinkParams,
  query: Type.Object(downloadSelection),
  status: 302,
  refuses: [403, 507],
  returns: Redirect,
  load: (call) => (call.isResuming ? requireOpenLink(call) : requireUsableLink(call)),
  async handle({ link, query, ...call }) {
    requireGrant(call, link, query.grant)
    const build = await findSelectedBuild(call.db, link, query.build_id)
    if (build === undefined)
      throw query.build_id === undefined
        ? notFound()
        : invalid({ build_id: ['is not a build that this link shares.'] })
    const message = 'Follow the `Location` header to download the file.'
    const resumed = await findDownloadToResume(call, link, build)
    if (resumed === undefined) requireDownloadsLeft(link)
    if (call.isHead) return { message }
    const { file_id, location } = await primaryFileLink(call, build.id, resumed?.seconds_left)
    if (resumed === undefined) await recordShareLinkDownload(call, link, build, { file_id })
    return { message, location }
  },
})
