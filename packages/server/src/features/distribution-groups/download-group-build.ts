import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint.ts'
import { Redirect } from '../../http/redirect.ts'
import { invalid } from '../../http/validation.ts'
import { primaryFileLink } from '../builds/download.ts'
import { groupLinkParams, requireReachingLink } from './group-link.ts'
import { findWantedBuild, recordGroupDownload } from './take-group-download.ts'

export const downloadGroupBuild = endpoint({
  method: 'GET',
  path: '/public/group-links/:group_link_id/:group_link_token/download',
  scope: 'public',
  summary: 'Download a build by a personal link',
  description:
    'For browsers and `curl -L -OJ`: a redirect to the primary file. Each call is kept as a download of that person, but HEAD, which answers the same without a location, is not. 410 when the link has stopped.',
  params: groupLinkParams,
  query: Type.Object({
    build_id: Type.Optional(
      Type.String({ maxLength: 255, description: 'Needed when the release holds several builds.' }),
    ),
  }),
  status: 302,
  refuses: [409],
  returns: Redirect,
  visible: requireReachingLink,
  async handle({ notification, query, ...call }) {
    const build = await findWantedBuild(call.db, notification, query.build_id)
    if (build === undefined) throw invalid({ build_id: ['is not a build of this release.'] })
    const message = 'The file is at the location.'
    if (call.isHead) return { message }
    const { file_id, location } = await primaryFileLink(call, build.id)
    await recordGroupDownload(call, notification.id, build, { file_id })
    return { message, location }
  },
})
