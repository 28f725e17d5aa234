import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint.ts'
import { Nullable, SizeBytes } from '../../http/fields.ts'
import { linkLifeSeconds, recordKeyDownload } from './download.ts'
import { requireMetadataArtifactOfPath } from './metadata-artifact.db.ts'
import { metadataArtifactParams } from './metadata-artifact.ts'

export const getBuildMetadataDownload = endpoint({
  method: 'GET',
  path: '/applications/:application_id/builds/:build_id/metadata/:artifact_id/download',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'Get a metadata artifact download link',
  params: metadataArtifactParams,
  budget: 'downloads',
  returns: Type.Object({
    message: Type.String(),
    temp_url: Type.String({ description: 'Signed URL: works without an API key.' }),
    filename: Type.String(),
    size_bytes: SizeBytes,
    checksum_md5: Nullable(Type.String()),
    checksum_sha256: Nullable(Type.String()),
  }),
  load: requireMetadataArtifactOfPath,
  async handle({ build, artifact, ...call }) {
    const { filename, size_bytes, checksum_md5, checksum_sha256, object_key: key } = artifact
    const options = { filename, contentType: 'application/octet-stream', expiresInSeconds: linkLifeSeconds }
    const temp_url = await call.storage.signGet({ key }, options)
    await recordKeyDownload(call, build, { metadata_artifact_id: artifact.id })
    return {
      message: 'Download link created.',
      temp_url,
      filename,
      size_bytes,
      checksum_md5,
      checksum_sha256,
    }
  },
})
