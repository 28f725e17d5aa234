import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint.ts'
import { FileLink, metadataArtifactLink, recordKeyDownload } from './download.ts'
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
    ...FileLink.properties,
  }),
  load: requireMetadataArtifactOfPath,
  async handle({ build, artifact, ...call }) {
    const link = await metadataArtifactLink(call.storage, artifact)
    await recordKeyDownload(call, build, { metadata_artifact_id: artifact.id })
    return { message: 'Download link created.', ...link }
  },
})
