import { Type, type Static } from 'typebox'
import { metadataFiletypeResource } from '../../../catalog/metadata-filetypes.ts'
import {
  ApplicationId,
  BuildId,
  Nullable,
  PathId,
  SizeBytes,
  Timestamp,
} from '../../../http/endpoint/fields.ts'
import { artifactFormats, type ArtifactFormat } from '../../../inspection/artifacts/artifact-format.ts'
import { sizeString } from '../../../lib/sizes.ts'

export const maxArtifacts = 25

export const metadataArtifactParams = Type.Object({
  application_id: ApplicationId,
  build_id: BuildId,
  artifact_id: PathId('ID of the artifact.'),
})

const fields = {
  id: Type.String(),
  filename: Type.String(),
  description: Nullable(Type.String()),
  size_bytes: SizeBytes,
  size_string: Type.String(),
  checksum_md5: Nullable(Type.String()),
  checksum_sha256: Nullable(Type.String()),
  checksum_sha1: Nullable(Type.String()),
  checksum_sha512: Nullable(Type.String()),
  checksum_error: Nullable(
    Type.String({
      description:
        'Why the checksums are `null`: the stored file is damaged, and the artifact must be uploaded again. Otherwise `null`.',
    }),
  ),
  metadata_filetype: Type.Object({
    identifier: Type.String(),
    name: Type.String(),
    extension: Nullable(Type.String()),
  }),
  format: Nullable(
    Type.Enum([...artifactFormats], {
      description:
        'The format recognized from the content; `null` if it is unknown. Archives and executables are read in the background after the upload.',
    }),
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const MetadataArtifact = Type.Object(fields, { title: 'MetadataArtifact' })

export const SingleMetadataArtifact = Type.Object(
  { ...fields, build_id: Type.String(), application_id: Type.String(), workspace_id: Type.String() },
  { title: 'SingleMetadataArtifact' },
)

export type MetadataArtifactRow = {
  id: string
  filename: string
  description: string | null
  size_bytes: number
  checksum_md5: string | null
  checksum_sha256: string | null
  checksum_sha1: string | null
  checksum_sha512: string | null
  checksum_error: string | null
  metadata_filetype: string
  format: string | null
  created_at: string
  updated_at: string
}

export function metadataArtifactResource(row: MetadataArtifactRow): Static<typeof MetadataArtifact> {
  const { id, filename, description, size_bytes, checksum_md5, checksum_sha256, created_at, updated_at } = row
  return {
    id,
    filename,
    description,
    size_bytes,
    size_string: sizeString(size_bytes),
    checksum_md5,
    checksum_sha256,
    checksum_sha1: row.checksum_sha1,
    checksum_sha512: row.checksum_sha512,
    checksum_error: row.checksum_error,
    metadata_filetype: metadataFiletypeResource(row.metadata_filetype),
    format: row.format as ArtifactFormat | null,
    created_at,
    updated_at,
  }
}
