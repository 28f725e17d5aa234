import { Type } from 'typebox'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction } from '../../database/transaction.ts'
import { endpoint } from '../../http/endpoint.ts'
import { invalid } from '../../http/validation.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { notFound, Problem } from '../../lib/problem.ts'
import { insertDownload } from '../builds/download.db.ts'
import { downloadFields, downloadLinks } from '../builds/download.ts'
import { listBuildsOfRelease } from '../releases/release.db.ts'
import { groupLinkParams, requireNotification, requireReachingLink, unreached } from './group-link.ts'
import { findLockedReachingGroup } from './release-notification.db.ts'

export const createGroupDownload = endpoint({
  method: 'POST',
  path: '/public/group-links/:group_link_id/:group_link_token/downloads',
  scope: 'public',
  summary: 'Download a build by a personal link',
  description: 'Each call is kept as a download of that person. 410 when the link has stopped.',
  params: groupLinkParams,
  body: Type.Object({
    build_id: Type.Optional(
      Type.String({ maxLength: 255, description: 'Needed when the release holds several builds.' }),
    ),
  }),
  returns: Type.Object({ message: Type.String(), ...downloadFields }),
  visible: requireReachingLink,
  async handle({ notification: { id, release_id }, body, ...call }) {
    const builds = await listBuildsOfRelease(call.db, release_id)
    if (builds.length === 0) throw empty()
    if (body.build_id === undefined && builds.length > 1)
      throw invalid({ build_id: ['is required: this release holds several builds.'] })
    const build = body.build_id === undefined ? builds[0] : builds.find((each) => each.id === body.build_id)
    if (build === undefined) throw notFound()
    const links = await downloadLinks(call, build.id)
    await conflictsAs({ downloads_build_id_application_id_fkey: () => notFound() }, () =>
      inTransaction(call.db, async (tx) => {
        const notification = await requireNotification(tx, id)
        const groupId = await findLockedReachingGroup(tx, notification)
        if (groupId === undefined) throw await unreached(tx, notification)
        await insertDownload(tx, {
          id: uuidV7(),
          workspace_id: build.workspace_id,
          application_id: build.application_id,
          build_id: build.id,
          way: 'distribution-group',
          distribution_group_id: groupId,
          email: notification.email,
          address: call.address,
        })
      }),
    )
    return { message: 'Download links created.', ...links }
  },
})

const empty = (): Problem =>
  new Problem('conflict', 'group_link.no_builds', 'This release holds no build just now. Try again later.')
