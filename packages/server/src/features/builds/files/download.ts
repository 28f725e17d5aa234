import { Type, type Static } from 'typebox'
import { conflictsAs } from '../../../database/conflicts.ts'
import { inTransaction, type Db, type Tx } from '../../../database/transaction.ts'
import type { Deps } from '../../../deps.ts'
import { apiKeyId, type Actor } from '../../../http/endpoint/actor.ts'
import type { Call } from '../../../http/endpoint/endpoint.ts'
import { Nullable, Timestamp } from '../../../http/endpoint/fields.ts'
import { invalid } from '../../../http/endpoint/validation.ts'
import { unauthorized } from '../../../http/wire/errors.ts'
import { uuidV7 } from '../../../lib/ids.ts'
import { notFound, Problem, problem } from '../../../lib/problem.ts'
import { isoMicroseconds } from '../../../lib/time.ts'
import type { Download as SignedDownload } from '../../../storage/driver.ts'
import { requestsSeveralRanges } from '../../../storage/transfer/byte-range.ts'
import { findChunkIndexes } from '../chunks/chunk-index.db.ts'
import { signChunkIndex } from '../chunks/chunk-index.ts'
import { signPatchesUrl } from '../patches/patch.ts'
import { insertDownloads, type DownloadRow } from './download.db.ts'
import { FileLink, fileLink } from './file-link.ts'
import { listFiles } from './file.db.ts'
import { filesByRole } from './file.ts'

export const linkLifeSeconds = 6 * 60 * 60
/** The lifetime of signed URLs for visitors without an API key. Revoking a share link does not revoke its URLs. */
export const publicLinkLifeSeconds = 15 * 60

const IndexedFileLink = Type.Object(
  {
    ...FileLink.properties,
    chunks_url: Nullable(
      Type.String({
        description:
          'Signed URL of the chunk index of the file, with which a client that has another version downloads only the ranges that it lacks; `null` if there is none, or not yet.',
      }),
    ),
    patches_url: Nullable(
      Type.String({
        description:
          'Signed URL at which a client that has another version looks for a patch to the file, with the SHA-256 of its version as `from`; `null` if there is none.',
      }),
    ),
  },
  { title: 'IndexedFileLink' },
)

/** The response fields for download links, except `message`. */
export const downloadFields = {
  primary_file: IndexedFileLink,
  expansion_files: Type.Optional(Type.Array(IndexedFileLink)),
  universal_apk: Type.Optional(IndexedFileLink),
  expires_at: Timestamp,
}

/** Returns signed links to all files of a build. */
export async function downloadLinks(
  deps: Pick<Deps, 'db' | 'storage' | 'clock' | 'secretBox' | 'config'>,
  buildId: string,
  expiresInSeconds = linkLifeSeconds,
) {
  const { db, storage, clock, config } = deps
  const files = await listFiles(db, buildId)
  const { primary, expansions, universalApk } = filesByRole(buildId, files)
  const indexes = await findChunkIndexes(db, files)
  const linkTo = async (file: typeof primary) => {
    const index = indexes.get(file.id)
    const link = await fileLink(storage, file, { expiresInSeconds })
    const offersPatches = index !== undefined && file.size_bytes <= config.patchMaxMb * 1024 ** 2
    return {
      ...link,
      chunks_url: index ? await signChunkIndex(storage, index, { expiresInSeconds }) : null,
      patches_url: offersPatches ? signPatchesUrl(deps, file.id, expiresInSeconds) : null,
    }
  }
  const [primary_file, ...expansion_files] = await Promise.all([primary, ...expansions].map(linkTo))
  if (primary_file === undefined) throw new Error(`build ${buildId} has no primary file`)
  return {
    primary_file,
    ...(expansion_files.length === 0 ? {} : { expansion_files }),
    ...(universalApk === undefined ? {} : { universal_apk: await linkTo(universalApk) }),
    expires_at: linkExpiry(clock, expiresInSeconds),
  }
}

/** Returns the expiry time of a link that is signed now. */
export const linkExpiry = (clock: Deps['clock'], expiresInSeconds = linkLifeSeconds): string =>
  isoMicroseconds(new Date(clock.now().getTime() + expiresInSeconds * 1000))

type LinkCall = Pick<Call, 'db' | 'storage' | 'range' | 'isHead'>
type LinkSelection = { fileId?: string | undefined; expiresInSeconds?: number }

/**
 * Returns a file of the build, by default its primary file, and a signed link to it. Throws 404 if the build does not
 * have the file.
 */
export async function requireFileLink(call: LinkCall, buildId: string, selection: LinkSelection) {
  const link = await findFileLink(call, buildId, selection)
  if (link === undefined) throw notFound()
  return link
}

/** Does the same as `requireFileLink`, but throws 422 for the query parameter `file_id`. */
export async function requireFileLinkOfQuery(call: LinkCall, buildId: string, selection: LinkSelection) {
  const link = await findFileLink(call, buildId, selection)
  if (link === undefined)
    throw invalid({
      file_id: ['must be the ID of a file of this build. Omit it to download the primary file.'],
    })
  return link
}

async function findFileLink(
  call: LinkCall,
  buildId: string,
  { fileId, expiresInSeconds = linkLifeSeconds }: LinkSelection,
) {
  const files = await listFiles(call.db, buildId)
  const file = fileId === undefined ? files[0] : files.find(({ id }) => id === fileId)
  if (file === undefined) return undefined
  const { id: file_id, filename, size_bytes, checksum_sha256 } = file
  const link = await fileLink(call.storage, file, { expiresInSeconds, ...redirectOptions(call) })
  return { file_id, filename, size_bytes, checksum_sha256, location: link.temp_url }
}

type LinkOptions = Pick<SignedDownload, 'isDirect'>

/** A client that is redirected repeats its method and its Range header, so most clients need only what S3 supports. */
export const redirectOptions = ({ range, isHead }: Pick<Call, 'range' | 'isHead'>): LinkOptions => ({
  isDirect: !isHead && !requestsSeveralRanges(range),
})

/** The channels of downloads by people. Those of the other ones are by programs. An index has the same condition. */
export const channelsOfPeople = ['console', 'share-link', 'distribution-group', 'portal'] as const

export const channels = ['api', ...channelsOfPeople, 'feed'] as const

export const Download = Type.Object(
  {
    id: Type.String(),
    channel: Type.Enum([...channels], {
      description: '`api` means that an API key was used, and `console` that a user was signed in.',
    }),
    file_id: Nullable(
      Type.String({
        description:
          '`null` if the download links were for all files of the build or for a metadata artifact.',
      }),
    ),
    metadata_artifact_id: Nullable(Type.String()),
    api_key: Nullable(Type.Object({ id: Type.String(), name: Type.String() })),
    share_link_id: Nullable(Type.String()),
    distribution_group_id: Nullable(Type.String()),
    portal_id: Nullable(Type.String()),
    user_id: Nullable(Type.String()),
    email: Nullable(
      Type.String({
        description:
          'Email address of the person the link was sent to. `null` for keys without `members:read`.',
      }),
    ),
    address: Nullable(Type.String()),
    user_agent: Nullable(Type.String()),
    created_at: Timestamp,
  },
  { title: 'Download' },
)

export function downloadResource(row: DownloadRow, { scopes }: Actor): Static<typeof Download> {
  const { api_key_id: id, api_key_name: name, channel, email, ...rest } = row
  return {
    ...rest,
    email: scopes.has('members:read') ? email : null,
    channel: channel as (typeof channels)[number],
    api_key: id === null || name === null ? null : { id, name },
  }
}

type DownloadedBuild = { id: string; application_id: string; workspace_id: string }

/**
 * Counts a download without an API key against the client's rate limit for this link; throws 429 when the limit is
 * reached.
 */
export function chargePublicDownload(
  { network, publicDownloads }: Pick<Call, 'network' | 'publicDownloads'>,
  linkId: string,
): void {
  const { isAllowed, resetSeconds } = publicDownloads.take(`${linkId} ${network}`)
  if (isAllowed) return
  throw tooManyDownloads({ seconds: resetSeconds }, { retryAfterSeconds: resetSeconds })
}

export const tooManyDownloads = problem(
  'too_many',
  'download.too_many',
  'Too many downloads through this link from your address. Try again in {seconds} s.',
)

/** Returns the columns that all download records require: the build and the address and user agent of the caller. */
export const downloadAttributes = (
  { address, userAgent }: Pick<Call, 'address' | 'userAgent'>,
  { id, application_id, workspace_id }: DownloadedBuild,
) => ({
  id: uuidV7(),
  build_id: id,
  application_id,
  workspace_id,
  address,
  user_agent: userAgent,
})

/** Runs `work` in a transaction; throws 404 if it records a download of a build or file, or through a share link, that
 * was just deleted. */
export const withDownloadTransaction = (db: Db, work: (tx: Tx) => Promise<void>): Promise<void> =>
  conflictsAs(
    {
      downloads_build_id_application_id_fkey: notFound,
      downloads_file_id_fkey: notFound,
      downloads_share_link_id_fkey: notFound,
    },
    () => inTransaction(db, work),
  )

/**
 * Records a download and returns true. If the database is out of disk space, logs a warning and returns false instead,
 * so that files can be downloaded even when downloads cannot be recorded.
 */
export async function recordIfPossible(
  { log }: Pick<Call, 'log'>,
  record: () => Promise<void>,
): Promise<boolean> {
  try {
    await record()
    return true
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== 'out_of_space') throw error
    log.warn({ err: error }, 'a download was not recorded because the disk is full')
    return false
  }
}

/** Records that an API key or a user received links to the build, or to one of its files or artifacts. */
export async function recordKeyDownload(
  call: Pick<Call, 'db' | 'log' | 'actor' | 'address' | 'userAgent' | 'isHead'>,
  build: DownloadedBuild,
  item: { file_id?: string; metadata_artifact_id?: string } = {},
): Promise<void> {
  await recordKeyDownloads(call, [build], item)
}

/** Records that an API key or a user received links to each of the builds. */
export async function recordKeyDownloads(
  call: Pick<Call, 'db' | 'log' | 'actor' | 'address' | 'userAgent' | 'isHead'>,
  builds: DownloadedBuild[],
  item: { file_id?: string; metadata_artifact_id?: string } = {},
): Promise<void> {
  if (call.isHead || builds.length === 0) return
  const problems = {
    downloads_build_id_application_id_fkey: notFound,
    downloads_application_id_workspace_id_fkey: notFound,
    downloads_file_id_fkey: notFound,
    downloads_api_key_id_fkey: unauthorized,
  }
  const downloads = builds.map((build) => ({
    ...downloadAttributes(call, build),
    ...item,
    channel: call.actor.session === null ? 'api' : 'console',
    api_key_id: apiKeyId(call.actor),
    user_id: call.actor.session === null ? null : call.actor.userId,
  }))
  await recordIfPossible(call, () => conflictsAs(problems, () => insertDownloads(call.db, downloads)))
}
