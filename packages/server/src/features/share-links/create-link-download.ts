import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { endpoint } from '../../http/endpoint.ts'
import { invalid } from '../../http/validation.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { notFound } from '../../lib/problem.ts'
import { insertDownload } from '../builds/download.db.ts'
import { downloadFields, downloadLinks } from '../builds/download.ts'
import { requireGrant } from './grant.ts'
import { updateDownloadCounted } from './share-link.db.ts'
import { listSharedBuilds, requireUsableLink, sharedParams, usedUp } from './visit.ts'

export const createLinkDownload = endpoint({
  method: 'POST',
  path: '/public/share-links/:share_link_id/:share_token/downloads',
  scope: 'public',
  summary: 'Download a build by a share link',
  description: 'Each call counts as one download. 410 when the link allows no more.',
  params: sharedParams,
  body: Type.Object({
    build_id: Type.Optional(
      Type.String({ maxLength: 255, description: 'Needed when a release of several builds is shared.' }),
    ),
    grant: Type.Optional(Type.String({ maxLength: 500, description: 'Of a link with a password.' })),
  }),
  returns: Type.Object({ message: Type.String(), ...downloadFields }),
  visible: requireUsableLink,
  async handle({ link, body, ...call }) {
    requireGrant(call, link, body.grant)
    const builds = await listSharedBuilds(call.db, link)
    if (body.build_id === undefined && builds.length > 1)
      throw invalid({ build_id: ['is required: this link shares several builds.'] })
    const build = body.build_id === undefined ? builds[0] : builds.find(({ id }) => id === body.build_id)
    if (build === undefined) throw notFound()
    const links = await downloadLinks(call, build.id)
    await inTransaction(call.db, async (tx) => {
      if (!(await updateDownloadCounted(tx, link.id))) throw usedUp()
      await insertDownload(tx, {
        id: uuidV7(),
        workspace_id: link.workspace_id,
        application_id: link.application_id,
        build_id: build.id,
        way: 'share-link',
        share_link_id: link.id,
        address: call.address,
      })
    })
    return { message: 'Download links created.', ...links }
  },
})
