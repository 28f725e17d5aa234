import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint.ts'
import { Redirect } from '../../http/redirect.ts'
import { invalid } from '../../http/validation.ts'
import { notFound } from '../../lib/problem.ts'
import { primaryFileLink } from '../builds/download.ts'
import { countDownload, downloadToResume, findWantedBuild } from './take-download.ts'
import { requireDownloadsLeft, requireOpenLink, requireUsableLink, sharedParams } from './visit.ts'

export const downloadLinkBuild = endpoint({
  method: 'GET',
  path: '/public/share-links/:share_link_id/:share_token/download',
  scope: 'public',
  summary: 'Download a build by a share link',
  description:
    'For browsers and `curl -L -OJ`: a redirect to the primary file. Each call counts as one download, but HEAD, which answers the same without a location, does not, nor does going on with a download that broke off (`curl -C -`, a `Range` behind the first byte) while the location it was given holds. 410 when the link allows no more.',
  params: sharedParams,
  query: Type.Object({
    build_id: Type.Optional(
      Type.String({ maxLength: 255, description: 'Needed when a release of several builds is shared.' }),
    ),
    grant: Type.Optional(Type.String({ maxLength: 500, description: 'Of a link with a password.' })),
  }),
  status: 302,
  refuses: [403],
  returns: Redirect,
  visible: (call) => (call.isResuming ? requireOpenLink(call) : requireUsableLink(call)),
  async handle({ link, query, ...call }) {
    const build = await findWantedBuild(call, link, query)
    if (build === undefined)
      throw query.build_id === undefined
        ? notFound()
        : invalid({ build_id: ['is not a build of this link.'] })
    const message = 'The file is at the location.'
    const begun = await downloadToResume(call, link, build)
    if (begun === undefined) requireDownloadsLeft(link)
    if (call.isHead) return { message }
    const { file_id, location } = await primaryFileLink(call, build.id, begun?.seconds_left)
    if (begun !== undefined) return { message, location }
    await countDownload(call, link, build, { file_id })
    return { message, location }
  },
})
