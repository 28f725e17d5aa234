import { Type } from 'typebox'
import type { Db } from '../../database/transaction.ts'
import type { Call } from '../../http/endpoint.ts'
import { invalid } from '../../http/validation.ts'
import { uuidSource } from '../../lib/ids.ts'
import { Problem } from '../../lib/problem.ts'
import { requireBuild, type BuildRow } from '../builds/build.db.ts'
import { findRecentDownload, insertDownload } from '../builds/download.db.ts'
import { downloadAttributes, recordIfPossible, withDownloadTransaction } from '../builds/download.ts'
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
  resume: Type.Optional(
    Type.String({
      maxLength: 500,
      description:
        'The `resume` value of an earlier response. Returns new URLs for the same download, without counting it again, for up to six hours after it began.',
    }),
  ),
}

/** The field of both responses that lets a client resume the download. */
export const Resume = Type.Optional(
  Type.String({
    description:
      'Send it with a later request to this link to get new URLs for the same download after these have expired.',
  }),
)

const resumableSeconds = 6 * 60 * 60
const resumeFormat = new RegExp(`^(${uuidSource})\\.(.+)$`, 's')

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

/**
 * Counts and records a download in one transaction and returns the token that resumes it; throws `share_link.used_up`
 * at the download limit.
 */
export async function recordShareLinkDownload(
  call: Pick<Call, 'db' | 'log' | 'address' | 'userAgent' | 'secretBox'>,
  link: ShareLinkRow,
  build: BuildRow,
  file: { file_id?: string } = {},
): Promise<{ resume?: string }> {
  const attributes = downloadAttributes(call, build)
  const record = () =>
    withDownloadTransaction(call.db, async (tx) => {
      if (!(await countDownload(tx, link.id))) throw downloadLimitReached()
      await insertDownload(tx, { ...attributes, ...file, channel: 'share-link', share_link_id: link.id })
    })
  // A download limit requires an exact count, so a link with a limit fails if the download cannot be recorded.
  if (link.max_downloads !== null) await record()
  else if (!(await recordIfPossible(call, record))) return {}
  return {
    resume: `${attributes.id}.${call.secretBox.token(resumePurpose, resumeText(link, attributes.id))}`,
  }
}

const resumePurpose = 'share link resume v1'
const resumeText = (link: ShareLinkRow, downloadId: string): string => JSON.stringify([link.id, downloadId])

/**
 * Returns the counted download that a `resume` token resumes; undefined without a token. Throws 410 if the token is not
 * for this link or the download began more than six hours ago.
 */
export async function findDownloadToResume(
  call: Pick<Call, 'db' | 'secretBox'>,
  link: ShareLinkRow,
  resume: string | undefined,
) {
  if (resume === undefined) return undefined
  const [, id = '', signature = ''] = resumeFormat.exec(resume) ?? []
  const download = call.secretBox.isToken(signature, resumePurpose, resumeText(link, id))
    ? await findRecentDownload(call.db, { id, shareLinkId: link.id }, resumableSeconds)
    : undefined
  if (download !== undefined) return { ...download, resume }
  throw new Problem(
    'gone',
    'share_link.not_resumable',
    'This download can no longer be resumed. Send the request without `resume` to start a new one.',
  )
}
