import { Type } from 'typebox'
import type { Db, Tx } from '../../database/transaction.ts'
import type { Call } from '../../http/endpoint.ts'
import { invalid } from '../../http/validation.ts'
import { requireBuild, type BuildRow } from '../builds/build.db.ts'
import { findRecentDownload, insertDownload } from '../builds/download.db.ts'
import { downloadAttributes, withDownloadTransaction, linkLifeSeconds } from '../builds/download.ts'
import { listBuildsOfRelease } from '../releases/release.db.ts'
import { downloadLimitReached } from './share-link-access.ts'
import { countDownload, type ShareLinkRow } from './share-link.db.ts'

/** The build to download and the grant, as accepted by both download endpoints. */
export const downloadSelection = {
  build_id: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'Required if the link shares a release with several builds.',
    }),
  ),
  grant: Type.Optional(
    Type.String({ maxLength: 500, description: 'Required if the link has a password; see `{url}/grants`.' }),
  ),
}

/** Returns the builds that a link shares, except those in the trash; throws 404 if the link is to a trashed build. */
export async function listSharedBuilds(db: Db, link: ShareLinkRow): Promise<BuildRow[]> {
  if (link.build_id !== null) return [await requireBuild(db, link.application_id, link.build_id)]
  return listBuildsOfRelease(db, link.release_id ?? '')
}

/**
 * Returns the selected build, or undefined if the link does not share it; throws `invalid` if several builds are shared
 * and none is selected.
 */
export async function findSelectedBuild(
  db: Db,
  link: ShareLinkRow,
  buildId: string | undefined,
): Promise<BuildRow | undefined> {
  const builds = await listSharedBuilds(db, link)
  if (buildId !== undefined) return builds.find(({ id }) => id === buildId)
  if (builds.length > 1) throw invalid({ build_id: ['is required because this link shares several builds.'] })
  return builds[0]
}

/** Counts and records a download in one transaction; throws `share_link.used_up` at the download limit. */
export async function recordShareLinkDownload(
  call: Pick<Call, 'db' | 'log' | 'address' | 'userAgent'>,
  link: ShareLinkRow,
  build: BuildRow,
  file: { file_id?: string } = {},
): Promise<void> {
  const record = async (tx: Tx) => {
    if (!(await countDownload(tx, link.id))) throw downloadLimitReached()
    await insertDownload(tx, {
      ...downloadAttributes(call, build),
      ...file,
      channel: 'share-link',
      share_link_id: link.id,
    })
  }
  await withDownloadTransaction(call, record, { isExact: link.max_downloads !== null })
}

/**
 * Returns the earlier download that this request resumes, if any. Its URL gave access to the whole file for six hours,
 * so a new URL for the remaining time grants no additional access.
 */
export async function findDownloadToResume(
  { db, isResuming, address, userAgent }: Pick<Call, 'db' | 'isResuming' | 'address' | 'userAgent'>,
  link: ShareLinkRow,
  build: BuildRow,
) {
  if (!isResuming) return undefined
  const request = { shareLinkId: link.id, buildId: build.id, address, userAgent }
  return findRecentDownload(db, request, linkLifeSeconds)
}
