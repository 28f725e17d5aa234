import type { Db, Tx } from '../../../database/transaction.ts'
import type { Call } from '../../../http/endpoint/endpoint.ts'
import { invalid } from '../../../http/endpoint/validation.ts'
import { problem } from '../../../lib/problem.ts'
import type { BuildRow } from '../../builds/build.db.ts'
import { insertNewDownload } from '../../builds/files/download.db.ts'
import { downloadAttributes, recordIfPossible, withDownloadTransaction } from '../../builds/files/download.ts'
import { listBuildsOfRelease } from '../../releases/release.db.ts'
import { findLockedSharingGroup, type ReleaseNotificationRow } from '../release-notification.db.ts'
import { hasRecentGroupDownload } from './group-download.db.ts'
import { notSharedProblem, requireNotification } from './group-link.ts'

/**
 * Returns the selected build, or undefined if it is not in the release. Throws 409 if the release has no builds, and
 * `invalid` if it has several builds and none is selected.
 */
export async function findSelectedBuild(
  db: Db,
  { release_id }: ReleaseNotificationRow,
  buildId: string | undefined,
): Promise<BuildRow | undefined> {
  const builds = await listBuildsOfRelease(db, release_id)
  if (builds.length === 0) throw noBuilds()
  if (buildId !== undefined) return builds.find(({ id }) => id === buildId)
  if (builds.length > 1) throw invalid({ build_id: ['is required because this release has several builds.'] })
  return builds[0]
}

/** A request for the rest of a file within this time resumes a recorded download. */
const resumableSeconds = 6 * 60 * 60

/**
 * Records a download by the recipient of the link, unless the request resumes one; throws 410 if the link is no longer
 * usable.
 */
export async function recordGroupDownload(
  call: Pick<Call, 'db' | 'log' | 'address' | 'userAgent'> & { range?: string | undefined },
  notificationId: string,
  build: BuildRow,
  file: { id?: string; file_id?: string; is_install?: boolean } = {},
): Promise<void> {
  const record = async (tx: Tx): Promise<void> => {
    const notification = await requireNotification(tx, notificationId)
    const groupId = await findLockedSharingGroup(tx, notification)
    if (groupId === undefined) throw await notSharedProblem(tx, notification)
    const recent = { groupId, email: notification.email, buildId: build.id }
    const resumes = /^bytes=[1-9]\d*-/.test(call.range ?? '')
    if (resumes && (await hasRecentGroupDownload(tx, recent, resumableSeconds))) return
    await insertNewDownload(tx, {
      ...downloadAttributes(call, build),
      ...file,
      channel: 'distribution-group',
      distribution_group_id: groupId,
      email: notification.email,
    })
  }
  await recordIfPossible(call, () => withDownloadTransaction(call.db, record))
}

export const noBuilds = problem(
  'conflict',
  'group_link.no_builds',
  'This release has no builds at the moment. Try again later.',
)
