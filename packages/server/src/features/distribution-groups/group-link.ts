import { Type, type Static } from 'typebox'
import type { Db } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { Nullable, PathId } from '../../http/fields.ts'
import { notFound, Problem } from '../../lib/problem.ts'
import { SharedBuild } from '../builds/build.ts'
import {
  findGroupsOfReader,
  findReachingGroup,
  findReleaseNotification,
  type ReleaseNotificationRow,
} from './release-notification.db.ts'
import { isLinkToken } from './release-notification.ts'

export const groupLinkParams = Type.Object({
  group_link_id: PathId('Id of the link.'),
  group_link_token: PathId('Secret part of the URL.'),
})

export const SharedRelease = Type.Object(
  {
    application_name: Type.String(),
    title: Type.String(),
    version: Type.String(),
    notes: Nullable(Type.String({ description: 'Markdown' })),
    download_url: Type.String({
      description: 'For a browser or `curl -L -OJ`; with `?build_id=` where there are several builds.',
    }),
    builds: Type.Array(SharedBuild),
  },
  { title: 'SharedRelease' },
)

const gone = (code: string, message: string) => new Problem('gone', `group_link.${code}`, message)

/** The notification behind a link; a wrong token is as good as no link, a right one learns what became of it. */
export async function requireNotification(db: Db, id: string): Promise<ReleaseNotificationRow> {
  const notification = await findReleaseNotification(db, id)
  if (notification === undefined) throw gone('release_deleted', 'This release was deleted.')
  if (notification.is_application_trashed)
    throw gone('application_deleted', 'The application of this release was deleted.')
  return notification
}

/** Why nothing reaches the person any more. */
export async function unreached(db: Db, notification: ReleaseNotificationRow): Promise<Problem> {
  const { groups, groups_of_person } = await findGroupsOfReader(db, notification)
  if (groups === 0) return gone('release_withdrawn', 'This release is no longer shared.')
  if (groups_of_person === 0)
    return gone('not_a_member', 'You are no longer in a group that this release is shared with.')
  return gone('group_inactive', 'The group that this release is shared with is switched off.')
}

/** The `visible` step of public use: 410 when no active group gives the person the release any more. */
export async function requireReachingLink(call: {
  db: Db
  secretBox: Deps['secretBox']
  params: Static<typeof groupLinkParams>
}) {
  const { group_link_id: id, group_link_token: token } = call.params
  if (!isLinkToken(call, id, token)) throw notFound()
  const notification = await requireNotification(call.db, id)
  if ((await findReachingGroup(call.db, notification)) === undefined)
    throw await unreached(call.db, notification)
  return { notification }
}
