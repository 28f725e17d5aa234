import { Type, type Static } from 'typebox'
import { metadataFiletypeResource } from '../../catalog/metadata-filetypes.ts'
import { ApplicationId, BuildId, Nullable, PathId, SizeBytes, Timestamp } from '../../http/fields.ts'
import type { ArtifactFormat } from '../../inspection/recognize-artifact.ts'
import { sizeString } from '../../lib/sizes.ts'

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
  metadata_filetype: Type.Object({
    identifier: Type.String(),
    name: Type.String(),
    extension: Nullable(Type.String()),
  }),
  format: Nullable(
    Type.Enum(['cyclonedx', 'spdx', 'junit'], {
      description: 'The format recognized from the content; `null` if it is unknown.',
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
    metadata_filetype: metadataFiletypeResource(row.metadata_filetype),
    format: row.format as ArtifactFormat | null,
    created_at,
    updated_at,
  }
}
