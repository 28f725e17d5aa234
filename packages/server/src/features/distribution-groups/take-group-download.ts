import type { Db } from '../../database/transaction.ts'
import type { Call } from '../../http/endpoint.ts'
import { invalid } from '../../http/validation.ts'
import { Problem } from '../../lib/problem.ts'
import type { BuildRow } from '../builds/build.db.ts'
import { insertDownload } from '../builds/download.db.ts'
import { downloadFacts, recordingDownload } from '../builds/download.ts'
import { listBuildsOfRelease } from '../releases/release.db.ts'
import { requireNotification, unreached } from './group-link.ts'
import { findLockedReachingGroup, type ReleaseNotificationRow } from './release-notification.db.ts'

/** The build that a reader wants; undefined where the release does not hold the one that is named. */
export async function findWantedBuild(
  db: Db,
  { release_id }: ReleaseNotificationRow,
  buildId: string | undefined,
): Promise<BuildRow | undefined> {
  const builds = await listBuildsOfRelease(db, release_id)
  if (builds.length === 0) throw empty()
  if (buildId !== undefined) return builds.find(({ id }) => id === buildId)
  if (builds.length > 1) throw invalid({ build_id: ['is required: this release holds several builds.'] })
  return builds[0]
}

/** Records a download of that person; throws what stopped the link meanwhile. */
export async function recordGroupDownload(
  call: Pick<Call, 'db' | 'address' | 'userAgent'>,
  notificationId: string,
  build: BuildRow,
  what: { file_id?: string } = {},
): Promise<void> {
  await recordingDownload(call.db, async (tx) => {
    const notification = await requireNotification(tx, notificationId)
    const groupId = await findLockedReachingGroup(tx, notification)
    if (groupId === undefined) throw await unreached(tx, notification)
    await insertDownload(tx, {
      ...downloadFacts(call, build),
      ...what,
      way: 'distribution-group',
      distribution_group_id: groupId,
      email: notification.email,
    })
  })
}

const empty = (): Problem =>
  new Problem('conflict', 'group_link.no_builds', 'This release holds no build just now. Try again later.')
