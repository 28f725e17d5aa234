import type { Db } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import type { Call } from '../../http/endpoint.ts'
import { invalid } from '../../http/validation.ts'
import type { BuildRow } from '../builds/build.db.ts'
import { findBegunDownload, insertDownload } from '../builds/download.db.ts'
import { downloadFacts, recordingDownload, linkLifeSeconds } from '../builds/download.ts'
import { requireGrant } from './grant.ts'
import { updateDownloadCounted, type ShareLinkRow } from './share-link.db.ts'
import { listSharedBuilds, usedUp } from './visit.ts'

type Wish = { build_id?: string; grant?: string }

/** The build that a visitor wants and may have; undefined where the link does not share the one that is named. */
export async function findWantedBuild(
  call: Pick<Deps, 'secretBox' | 'clock'> & { db: Db },
  link: ShareLinkRow,
  { build_id, grant }: Wish,
): Promise<BuildRow | undefined> {
  requireGrant(call, link, grant)
  const builds = await listSharedBuilds(call.db, link)
  if (build_id !== undefined) return builds.find(({ id }) => id === build_id)
  if (builds.length > 1) throw invalid({ build_id: ['is required: this link shares several builds.'] })
  return builds[0]
}

/** Counts one download and records it, both or none; throws `share_link.used_up` when the link allows no more. */
export async function countDownload(
  call: Pick<Call, 'db' | 'address' | 'userAgent'>,
  link: ShareLinkRow,
  build: BuildRow,
  what: { file_id?: string } = {},
): Promise<void> {
  await recordingDownload(call.db, async (tx) => {
    if (!(await updateDownloadCounted(tx, link.id))) throw usedUp()
    await insertDownload(tx, {
      ...downloadFacts(call, build),
      ...what,
      way: 'share-link',
      share_link_id: link.id,
    })
  })
}

/**
 * The download that the visitor goes on with: its location held for some hours and for every piece of the file, so
 * that a fresh one for the rest of that time gives away nothing.
 */
export async function downloadToResume(
  { db, isResuming, address, userAgent }: Pick<Call, 'db' | 'isResuming' | 'address' | 'userAgent'>,
  link: ShareLinkRow,
  build: BuildRow,
) {
  if (!isResuming) return undefined
  const by = { shareLinkId: link.id, buildId: build.id, address, userAgent }
  return findBegunDownload(db, by, linkLifeSeconds)
}
