import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId, BuildId } from '../../http/fields.ts'
import { listOf } from '../../http/responses.ts'
import { requireBuildOfPath } from './build.db.ts'
import { listMetadataArtifacts } from './metadata-artifact.db.ts'
import { MetadataArtifact, metadataArtifactResource } from './metadata-artifact.ts'

export const listBuildMetadata = endpoint({
  method: 'GET',
  path: '/applications/:application_id/builds/:build_id/metadata',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'List metadata artifacts',
  params: Type.Object({ application_id: ApplicationId, build_id: BuildId }),
  returns: listOf(MetadataArtifact),
  load: requireBuildOfPath,
  async handle({ db, build }) {
    const artifacts = await listMetadataArtifacts(db, build.id)
    return { message: 'Metadata artifacts retrieved.', data: artifacts.map(metadataArtifactResource) }
  },
})
