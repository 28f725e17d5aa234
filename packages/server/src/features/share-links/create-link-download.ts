import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint.ts'
import { notFound } from '../../lib/problem.ts'
import { downloadFields, downloadLinks } from '../builds/download.ts'
import { countDownload, findWantedBuild } from './take-download.ts'
import { requireUsableLink, sharedParams } from './visit.ts'

export const createLinkDownload = endpoint({
  method: 'POST',
  path: '/public/share-links/:share_link_id/:share_token/downloads',
  scope: 'public',
  summary: 'Get download links by a share link',
  description: 'Each call counts as one download. 410 when the link allows no more.',
  params: sharedParams,
  body: Type.Object({
    build_id: Type.Optional(
      Type.String({ maxLength: 255, description: 'Needed when a release of several builds is shared.' }),
    ),
    grant: Type.Optional(Type.String({ maxLength: 500, description: 'Of a link with a password.' })),
  }),
  refuses: [403],
  returns: Type.Object({ message: Type.String(), ...downloadFields }),
  visible: requireUsableLink,
  async handle({ link, body, ...call }) {
    const build = await findWantedBuild(call, link, body)
    if (build === undefined) throw notFound()
    const links = await downloadLinks(call, build.id)
    await countDownload(call, link, build)
    return { message: 'Download links created.', ...links }
  },
})
