import { Type, type Static } from 'typebox'
import type { Db } from '../../database/transaction.ts'
import type { Call } from '../../http/endpoint/endpoint.ts'
import { invalid } from '../../http/endpoint/validation.ts'
import { uuidSource } from '../../lib/ids.ts'
import { notFound, problem } from '../../lib/problem.ts'
import { versionSortKey } from '../../lib/semver.ts'
import { requireBuild, type BuildRow } from '../builds/build.db.ts'
import { findRecentDownload, insertNewDownload } from '../builds/files/download.db.ts'
import {
  downloadAttributes,
  publicLinkLifeSeconds,
  recordIfPossible,
  withDownloadTransaction,
} from '../builds/files/download.ts'
import { wantedVersion } from '../permalinks/permalink.ts'
import { findLockedPublishedRelease, listBuildsOfRelease } from '../releases/release.db.ts'
import {
  downloadLimitReached,
  releaseWithdrawn,
  requireDownloadsLeft,
  requireGrant,
} from './share-link-access.ts'
import { resumeCookie } from './share-link-cookies.ts'
import { openTicket, resumableSeconds } from './share-link-ticket.ts'
import { countDownload, type ShareLinkRow } from './share-link.db.ts'

/** The request fields of both download endpoints: the build to download and the grant. */
export const DownloadSelection = Type.Object({
  build_id: Type.Optional(
    Type.String({
      maxLength: 255,
      description:
        'Required if the link shares a release with several builds, unless `platform` selects one.',
    }),
  ),
  platform: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Selects the newest build for this platform, instead of `build_id`.',
    }),
  ),
  architecture: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Selects only builds that support this architecture.',
    }),
  ),
  version: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'The version that the release of the link must have, or `latest` for any. Other links return 404.',
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
})

/** The query of the download URL, which can also select a file and contain a ticket from the page of the link. */
export const DownloadQuery = Type.Object({
  ...DownloadSelection.properties,
  file_id: Type.Optional(
    Type.String({ maxLength: 255, description: 'The file to download; by default, the primary file.' }),
  ),
  ticket: Type.Optional(
    Type.String({
      maxLength: 500,
      description:
        'Part of the commands on the page of the link. The first request with a ticket begins a download, without a grant; later ones within six hours resume it and are not counted.',
    }),
  ),
})

/** The response field of both download endpoints that lets a client resume the download. */
export const Resume = Type.Optional(
  Type.String({
    description:
      'Send it with a later request to this link to get new URLs for the same download after these have expired.',
  }),
)

const resumeFormat = new RegExp(`^(${uuidSource})\\.(.+)$`, 's')

/**
 * Returns the builds that a link shares, except those in the trash; throws 404 if the link shares a single build and
 * that build is in the trash.
 */
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
  { build_id, platform, architecture, version }: Omit<Static<typeof DownloadSelection>, 'grant' | 'resume'>,
): Promise<BuildRow | undefined> {
  if (version !== undefined) requireVersion(link, version)
  const builds = (await listSharedBuilds(db, link)).filter(
    (build) =>
      (platform === undefined || build.platform === platform) &&
      (architecture === undefined || build.architectures.includes(architecture)),
  )
  if (build_id !== undefined) return builds.find(({ id }) => id === build_id)
  if (builds.length > 1 && platform === undefined)
    throw invalid({ build_id: ['is required because this link shares several builds.'] })
  return builds[0]
}

/** Throws 404 unless the link shares a release with this version. */
function requireVersion({ release_version_sort }: ShareLinkRow, text: string): void {
  const version = wantedVersion(text)
  if (version !== 'latest' && versionSortKey(version) !== release_version_sort) throw notFound()
}

/**
 * Returns the selected build (undefined if the link does not share it), the download that the request resumes, and the
 * lifetime of the new URLs. Throws 403 if a required grant is missing, and 410 if the download limit has been reached
 * or the download can no longer be resumed.
 */
export async function selectDownload(
  call: Pick<Call, 'db' | 'clock' | 'secretBox'>,
  link: ShareLinkRow,
  { grant, resume, ticket, file_id: _, ...selection }: Static<typeof DownloadQuery>,
) {
  const ticketed = ticket === undefined ? undefined : await openTicket(call, link, ticket)
  if (ticketed === undefined) requireGrant(call, link, grant)
  const resumed = ticketed?.resumed ?? (await findDownloadToResume(call, link, resume))
  if (resumed === undefined) requireDownloadsLeft(link)
  const build = await findSelectedBuild(
    call.db,
    link,
    resumed === undefined ? selection : { build_id: resumed.build_id },
  )
  const lifeSeconds = Math.min(publicLinkLifeSeconds, resumed?.seconds_left ?? publicLinkLifeSeconds)
  return { build, resumed, lifeSeconds, downloadId: ticketed?.downloadId }
}

/**
 * Counts and records a download in one transaction and returns the token that resumes it. Throws `share_link.used_up`
 * if the download limit has been reached, and `share_link.release_withdrawn` if the release was just withdrawn.
 */
export async function recordShareLinkDownload(
  call: Pick<Call, 'db' | 'log' | 'address' | 'userAgent' | 'secretBox'>,
  link: ShareLinkRow,
  build: BuildRow,
  {
    file_id,
    id,
    is_install = false,
  }: { file_id?: string; id?: string | undefined; is_install?: boolean } = {},
): Promise<{ resume?: string }> {
  const attributes = { ...downloadAttributes(call, build), ...(id === undefined ? {} : { id }), is_install }
  const file = file_id === undefined ? {} : { file_id }
  const record = () =>
    withDownloadTransaction(call.db, async (tx) => {
      const { release_id } = link
      if (release_id !== null && (await findLockedPublishedRelease(tx, release_id)) === undefined)
        throw releaseWithdrawn()
      // Of several requests with the same ticket, all but the first wait here instead of being counted.
      const download = { ...attributes, ...file, channel: 'share-link', share_link_id: link.id }
      if (!(await insertNewDownload(tx, download))) return
      if (!(await countDownload(tx, link.id))) throw downloadLimitReached()
    })
  // A download limit requires an exact count, so a download through a link with a limit fails if it cannot be recorded.
  if (link.max_downloads !== null) await record()
  else if (!(await recordIfPossible(call, record))) return {}
  return {
    resume: `${attributes.id}.${call.secretBox.token(resumePurpose, resumeText(link, attributes.id))}`,
  }
}

const resumePurpose = 'share link resume v1'
const resumeText = (link: ShareLinkRow, downloadId: string): string => JSON.stringify([link.id, downloadId])

/** Returns whether a `resume` token belongs to a download through this link that can be resumed. */
export async function isResumable(
  call: Pick<Call, 'db' | 'secretBox'>,
  link: ShareLinkRow,
  resume: string | undefined,
): Promise<boolean> {
  if (resume === undefined) return false
  return (await findResumableDownload(call, link, resume)) !== undefined
}

async function findResumableDownload(
  call: Pick<Call, 'db' | 'secretBox'>,
  link: ShareLinkRow,
  resume: string,
) {
  const [, id = '', signature = ''] = resumeFormat.exec(resume) ?? []
  return call.secretBox.isToken(signature, resumePurpose, resumeText(link, id))
    ? findRecentDownload(call.db, { id, shareLinkId: link.id }, resumableSeconds)
    : undefined
}

/**
 * Returns the counted download that a `resume` token refers to, or undefined if there is no token. Throws 410 if the
 * token is not for this link or the download began more than six hours ago.
 */
async function findDownloadToResume(
  call: Pick<Call, 'db' | 'secretBox'>,
  link: ShareLinkRow,
  resume: string | undefined,
) {
  if (resume === undefined) return undefined
  const download = await findResumableDownload(call, link, resume)
  if (download !== undefined) return { ...download, resume }
  throw notResumable()
}

export const notResumable = problem(
  'gone',
  'share_link.not_resumable',
  'This download can no longer be resumed. Send the request without `resume` to start a new one.',
)

type Visit = Pick<Call, 'db' | 'secretBox'> & { cookies: ReadonlyMap<string, string> }

/**
 * Returns the builds that the visitor has begun to download and can therefore download again without a new count. Throws
 * 410 if there are none and the download limit is reached.
 */
export async function requireDownloadsForVisitor(
  call: Visit,
  link: ShareLinkRow,
  builds: readonly BuildRow[],
): Promise<Set<string>> {
  const resumable = new Set<string>()
  for (const { id } of builds)
    if (await isResumable(call, link, call.cookies.get(resumeCookie(id)))) resumable.add(id)
  if (resumable.size === 0) requireDownloadsLeft(link)
  return resumable
}
