import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { one } from '../../../http/endpoint/responses.ts'
import { requireMetadataArtifactOfPath } from './artifact-of-path.ts'
import {
  metadataArtifactParams,
  metadataArtifactResource,
  SingleMetadataArtifact,
} from './metadata-artifact.ts'

export const getBuildMetadata = endpoint({
  method: 'GET',
  path: '/applications/:application_id/builds/:build_id/metadata/:artifact_id',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'Get a metadata artifact',
  description: 'Returns the file name, type, size and checksums of one metadata artifact.',
  params: metadataArtifactParams,
  returns: one(SingleMetadataArtifact),
  load: requireMetadataArtifactOfPath,
  async handle({ artifact, build: { id: build_id, application_id, workspace_id } }) {
    const parents = { build_id, application_id, workspace_id }
    return {
      message: 'Metadata artifact retrieved.',
      data: { ...metadataArtifactResource(artifact), ...parents },
    }
  },
})
