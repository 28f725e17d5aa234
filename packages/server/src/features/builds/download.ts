import { Type, type Static } from 'typebox'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction, type Db, type Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import type { Call } from '../../http/endpoint.ts'
import { unauthorized } from '../../http/errors.ts'
import { Nullable, SizeBytes, Timestamp } from '../../http/fields.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { notFound } from '../../lib/problem.ts'
import { isoMicroseconds } from '../../lib/time.ts'
import { insertDownload, type DownloadRow } from './download.db.ts'
import { listFiles } from './file.db.ts'
import { fileResource, type FileRow } from './file.ts'

export const linkLifeSeconds = 6 * 60 * 60

const FileLink = Type.Object(
  {
    temp_url: Type.String({ description: 'Signed: needs no key. Takes single ranges.' }),
    filename: Type.String(),
    size_bytes: SizeBytes,
    checksum_md5: Nullable(Type.String()),
    checksum_sha256: Nullable(Type.String()),
  },
  { title: 'FileLink' },
)

/** What an answer with the links of a build holds, beside its message. */
export const downloadFields = {
  primary_file: FileLink,
  expansion_files: Type.Optional(Type.Array(FileLink)),
  expires_at: Timestamp,
}

/** Signed links to every file of a build. */
export async function downloadLinks(
  { db, storage, clock }: Pick<Deps, 'db' | 'storage' | 'clock'>,
  buildId: string,
) {
  const files = await listFiles(db, buildId)
  const links = await Promise.all(files.map((file) => fileLink(storage, file)))
  const primary = links[files.findIndex(({ role }) => role === 'primary')]
  if (primary === undefined) throw new Error(`build ${buildId} has no primary file`)
  const expansions = links.filter((_, index) => files[index]?.role === 'expansion')
  const expiresAt = new Date(clock.now().getTime() + linkLifeSeconds * 1000)
  return {
    primary_file: primary,
    ...(expansions.length === 0 ? {} : { expansion_files: expansions }),
    expires_at: isoMicroseconds(expiresAt),
  }
}

/** Where the primary file is, and which it is. */
export async function primaryFileLink(
  { db, storage }: Pick<Deps, 'db' | 'storage'>,
  buildId: string,
  expiresInSeconds = linkLifeSeconds,
) {
  const primary = (await listFiles(db, buildId)).find(({ role }) => role === 'primary')
  if (primary === undefined) throw new Error(`build ${buildId} has no primary file`)
  return { file_id: primary.id, location: (await fileLink(storage, primary, expiresInSeconds)).temp_url }
}

/** A signed link to one file. */
export async function fileLink(
  storage: Deps['storage'],
  file: FileRow & { object_key: string },
  expiresInSeconds = linkLifeSeconds,
) {
  const { filename, size_bytes, checksum_md5, checksum_sha256 } = file
  const contentType = fileResource(file).filetype.mime_type
  const temp_url = await storage.signGet(
    { key: file.object_key },
    { filename, contentType, expiresInSeconds },
  )
  return { temp_url, filename, size_bytes, checksum_md5, checksum_sha256 }
}

const ways = ['api', 'console', 'share-link', 'distribution-group', 'portal', 'feed'] as const

export const Download = Type.Object(
  {
    id: Type.String(),
    way: Type.Enum([...ways], { description: 'api: by a key.' }),
    file_id: Nullable(Type.String({ description: 'null: links to all files of the build, or an artifact.' })),
    metadata_artifact_id: Nullable(Type.String()),
    api_key: Nullable(Type.Object({ id: Type.String(), name: Type.String() })),
    share_link_id: Nullable(Type.String()),
    distribution_group_id: Nullable(Type.String()),
    portal_id: Nullable(Type.String()),
    user_id: Nullable(Type.String()),
    email: Nullable(Type.String({ description: 'Of the person whose link it was.' })),
    address: Nullable(Type.String()),
    user_agent: Nullable(Type.String()),
    created_at: Timestamp,
  },
  { title: 'Download' },
)

export function downloadResource(row: DownloadRow): Static<typeof Download> {
  const { api_key_id: id, api_key_name: name, way, ...rest } = row
  return {
    ...rest,
    way: way as (typeof ways)[number],
    api_key: id === null || name === null ? null : { id, name },
  }
}

type Taken = { id: string; application_id: string; workspace_id: string }

/** What every record of a download says of the build and of the caller. */
export const downloadFacts = (
  { address, userAgent }: Pick<Call, 'address' | 'userAgent'>,
  { id, application_id, workspace_id }: Taken,
) => ({
  id: uuidV7(),
  build_id: id,
  application_id,
  workspace_id,
  address,
  user_agent: userAgent,
})

/** Runs what records a download in one transaction; 404 where the build or the file goes meanwhile. */
export const recordingDownload = (db: Db, work: (tx: Tx) => Promise<void>): Promise<void> =>
  conflictsAs({ downloads_build_id_application_id_fkey: notFound, downloads_file_id_fkey: notFound }, () =>
    inTransaction(db, work),
  )

/** Records that a key was given links to the build, or to one thing of it. */
export async function recordKeyDownload(
  call: Pick<Call, 'db' | 'actor' | 'address' | 'userAgent' | 'isHead'>,
  build: Taken,
  what: { file_id?: string; metadata_artifact_id?: string } = {},
): Promise<void> {
  if (call.isHead) return
  const goneMeanwhile = {
    downloads_build_id_application_id_fkey: notFound,
    downloads_application_id_workspace_id_fkey: notFound,
    downloads_file_id_fkey: notFound,
    downloads_api_key_id_fkey: unauthorized,
  }
  await conflictsAs(goneMeanwhile, () =>
    insertDownload(call.db, {
      ...downloadFacts(call, build),
      ...what,
      way: 'api',
      api_key_id: call.actor.keyId,
    }),
  )
}
