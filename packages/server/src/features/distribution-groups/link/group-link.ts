import { Type, type Static } from 'typebox'
import type { Db } from '../../../database/transaction.ts'
import type { Deps } from '../../../deps.ts'
import { Nullable, PathId } from '../../../http/endpoint/fields.ts'
import { notFound, problem, type Problem } from '../../../lib/problem.ts'
import { SharedBuild } from '../../download-pages/download-page.ts'
import {
  countGroupsOfRecipient,
  findSharingGroup,
  findReleaseNotification,
  type ReleaseNotificationRow,
} from '../release-notification.db.ts'
import { isLinkToken } from '../release-notification.ts'

export const groupLinkParams = Type.Object({
  group_link_id: PathId('ID of the group link.'),
  group_link_token: PathId('Secret segment of the URL.'),
})

export const BuildSelection = Type.Object({
  build_id: Type.Optional(
    Type.String({ maxLength: 255, description: 'Required if the release has several builds.' }),
  ),
})

/** The query of the download URL, which can also select a file. */
export const DownloadQuery = Type.Object({
  ...BuildSelection.properties,
  file_id: Type.Optional(
    Type.String({ maxLength: 255, description: 'The file to download; by default, the primary file.' }),
  ),
})

export const SharedRelease = Type.Object(
  {
    application_name: Type.String(),
    title: Type.String(),
    version: Type.String(),
    notes: Nullable(Type.String({ description: 'Release notes in Markdown.' })),
    download_url: Type.String({
      description: 'URL for browsers and `curl -L -OJ`. Add `?build_id=` if there are several builds.',
    }),
    builds: Type.Array(SharedBuild),
  },
  { title: 'SharedRelease' },
)

const releaseDeleted = problem(
  'gone',
  'group_link.release_deleted',
  'This release was deleted. Ask the sender for another one.',
)

const applicationDeleted = problem(
  'gone',
  'group_link.application_deleted',
  "This release's application was deleted. Ask the sender to restore it.",
)

const releaseWithdrawn = problem(
  'gone',
  'group_link.release_withdrawn',
  'This release is no longer shared. Ask the sender to share it again.',
)

const notAMember = problem(
  'gone',
  'group_link.not_a_member',
  'You are no longer in a group with this release. Ask the sender to add you.',
)

const groupInactive = problem(
  'gone',
  'group_link.group_inactive',
  'The group with this release is inactive. Ask the sender to activate it.',
)

/** The errors of every endpoint that loads a group link. */
export const groupLinkProblems = [
  releaseDeleted,
  applicationDeleted,
  releaseWithdrawn,
  notAMember,
  groupInactive,
]

/**
 * Returns the link's notification; throws 410 if its release or application was deleted. The caller must have checked
 * the token.
 */
export async function requireNotification(db: Db, id: string): Promise<ReleaseNotificationRow> {
  const notification = await findReleaseNotification(db, id)
  if (notification === undefined) throw releaseDeleted()
  if (notification.is_application_trashed) throw applicationDeleted()
  return notification
}

/** Returns the 410 Problem that explains why the release is no longer shared with the recipient. */
export async function notSharedProblem(db: Db, notification: ReleaseNotificationRow): Promise<Problem> {
  const { groups, groups_of_person } = await countGroupsOfRecipient(db, notification)
  if (groups === 0) return releaseWithdrawn()
  return groups_of_person === 0 ? notAMember() : groupInactive()
}

/**
 * Loads the link's notification. Throws the same 404 for an unknown link and an invalid token, and 410 if no active
 * group shares the release with the recipient.
 */
export async function requireUsableGroupLink(call: {
  db: Db
  secretBox: Deps['secretBox']
  params: Static<typeof groupLinkParams>
}) {
  const { group_link_id: id, group_link_token: token } = call.params
  if (!isLinkToken(call, id, token)) throw notFound()
  return { notification: await requireSharedNotification(call.db, id) }
}

/**
 * Loads a notification as `requireUsableGroupLink` does. The caller must have verified a signature that contains the ID.
 */
export async function requireSharedNotification(db: Db, id: string): Promise<ReleaseNotificationRow> {
  const notification = await requireNotification(db, id)
  if ((await findSharingGroup(db, notification)) === undefined) throw await notSharedProblem(db, notification)
  return notification
}
