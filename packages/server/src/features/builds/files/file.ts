import { Type, type Static } from 'typebox'
import { expansionFiletypeResource } from '../../../catalog/expansion-filetypes.ts'
import { filetypeResource } from '../../../catalog/filetypes.ts'
import { Nullable, SizeBytes, Timestamp } from '../../../http/endpoint/fields.ts'
import { sizeString } from '../../../lib/sizes.ts'

const Filetype = Type.Object(
  {
    identifier: Type.String(),
    name: Type.String(),
    extension: Nullable(Type.String()),
    mime_type: Type.String(),
  },
  { title: 'Filetype' },
)

export const File = Type.Object(
  {
    id: Type.String(),
    filename: Type.String(),
    size_bytes: SizeBytes,
    size_string: Type.String(),
    checksum_md5: Nullable(Type.String({ description: 'MD5 of the bytes; `null` until it is computed.' })),
    checksum_sha256: Nullable(
      Type.String({ description: 'SHA-256 of the bytes; `null` until it is computed.' }),
    ),
    checksum_sha1: Nullable(Type.String({ description: 'SHA-1 of the bytes; `null` until it is computed.' })),
    checksum_sha512: Nullable(
      Type.String({
        description: 'SHA-512 of the bytes; `null` until it is computed, about a minute after the upload.',
      }),
    ),
    checksum_error: Nullable(
      Type.String({
        description:
          'Why the checksums are `null`: the stored file is damaged, and the build must be uploaded again. Otherwise `null`.',
      }),
    ),
    filetype: Filetype,
    expansion_filetype: Type.Optional(Filetype),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'File' },
)

export type FileRow = {
  id: string
  role: 'primary' | 'expansion' | 'universal_apk'
  filename: string
  size_bytes: number
  checksum_md5: string | null
  checksum_sha256: string | null
  checksum_sha1: string | null
  checksum_sha512: string | null
  checksum_error: string | null
  filetype: string
  created_at: string
  updated_at: string
}

/** Returns the files of a build by their role; throws if it has no primary file. */
export function filesByRole<File extends Pick<FileRow, 'role'>>(buildId: string, files: File[]) {
  const primary = files.find(({ role }) => role === 'primary')
  if (primary === undefined) throw new Error(`build ${buildId} has no primary file`)
  return {
    primary,
    expansions: files.filter(({ role }) => role === 'expansion'),
    universalApk: files.find(({ role }) => role === 'universal_apk'),
  }
}

export const filetypeOf = ({ role, filetype }: Pick<FileRow, 'role' | 'filetype'>) =>
  role === 'expansion' ? expansionFiletypeResource(filetype) : filetypeResource(filetype)

export function fileResource(row: FileRow): Static<typeof File> {
  const { id, filename, size_bytes, checksum_md5, checksum_sha256, checksum_error, created_at, updated_at } =
    row
  const { checksum_sha1, checksum_sha512 } = row
  const filetype = filetypeOf(row)
  return {
    id,
    filename,
    size_bytes,
    size_string: sizeString(size_bytes),
    checksum_md5,
    checksum_sha256,
    checksum_sha1,
    checksum_sha512,
    checksum_error,
    filetype,
    ...(row.role === 'expansion' ? { expansion_filetype: filetype } : {}),
    created_at,
    updated_at,
  }
}
