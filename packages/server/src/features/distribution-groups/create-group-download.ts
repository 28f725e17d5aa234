import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint.ts'
import { notFound } from '../../lib/problem.ts'
import { downloadFields, downloadLinks } from '../builds/download.ts'
import { groupLinkParams, requireReachingLink } from './group-link.ts'
import { findWantedBuild, recordGroupDownload } from './take-group-download.ts'

export const createGroupDownload = endpoint({
  method: 'POST',
  path: '/public/group-links/:group_link_id/:group_link_token/downloads',
  scope: 'public',
  summary: 'Get download links by a personal link',
  description: 'Each call is kept as a download of that person. 410 when the link has stopped.',
  params: groupLinkParams,
  body: Type.Object({
    build_id: Type.Optional(
      Type.String({ maxLength: 255, description: 'Needed when the release holds several builds.' }),
    ),
  }),
  returns: Type.Object({ message: Type.String(), ...downloadFields }),
  visible: requireReachingLink,
  async handle({ notification, body, ...call }) {
    const build = await findWantedBuild(call.db, notification, body.build_id)
    if (build === undefined) throw notFound()
    const links = await downloadLinks(call, build.id)
    await recordGroupDownload(call, notification.id, build)
    return { message: 'Download links created.', ...links }
  },
})
