import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { Nullable, SizeBytes, Timestamp } from '../../http/fields.ts'
import { isoMicroseconds } from '../../lib/time.ts'
import { listFiles } from './file.db.ts'
import { fileResource, type FileRow } from './file.ts'

const expiresInSeconds = 6 * 60 * 60

const Download = Type.Object(
  {
    temp_url: Type.String({ description: 'Signed: needs no key. Takes single ranges.' }),
    filename: Type.String(),
    size_bytes: SizeBytes,
    checksum_md5: Nullable(Type.String()),
    checksum_sha256: Nullable(Type.String()),
  },
  { title: 'Download' },
)

/** What an answer with the links of a build holds, beside its message. */
export const downloadFields = {
  primary_file: Download,
  expansion_files: Type.Optional(Type.Array(Download)),
  expires_at: Timestamp,
}

/** Signed links to every file of a build. */
export async function downloadLinks(
  { db, storage, clock }: Pick<Deps, 'db' | 'storage' | 'clock'>,
  buildId: string,
) {
  const files = await listFiles(db, buildId)
  const links = await Promise.all(files.map((file) => link(storage, file)))
  const primary = links[files.findIndex(({ role }) => role === 'primary')]
  if (primary === undefined) throw new Error(`build ${buildId} has no primary file`)
  const expansions = links.filter((_, index) => files[index]?.role === 'expansion')
  const expiresAt = new Date(clock.now().getTime() + expiresInSeconds * 1000)
  return {
    primary_file: primary,
    ...(expansions.length === 0 ? {} : { expansion_files: expansions }),
    expires_at: isoMicroseconds(expiresAt),
  }
}

async function link(storage: Deps['storage'], file: FileRow & { object_key: string }) {
  const { filename, size_bytes, checksum_md5, checksum_sha256 } = file
  const contentType = fileResource(file).filetype.mime_type
  const temp_url = await storage.signGet(
    { key: file.object_key },
    { filename, contentType, expiresInSeconds },
  )
  return { temp_url, filename, size_bytes, checksum_md5, checksum_sha256 }
}
