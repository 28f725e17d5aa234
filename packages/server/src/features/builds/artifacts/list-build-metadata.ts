import { Type } from 'typebox'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { ApplicationId, BuildId } from '../../../http/endpoint/fields.ts'
import { listOf } from '../../../http/endpoint/responses.ts'
import { requireBuildOfPath } from '../build.db.ts'
import { listMetadataArtifacts } from './metadata-artifact.db.ts'
import { MetadataArtifact, metadataArtifactResource } from './metadata-artifact.ts'

export const listBuildMetadata = endpoint({
  method: 'GET',
  path: '/applications/:application_id/builds/:build_id/metadata',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'List metadata artifacts',
  description: 'Lists the files that were uploaded with the build or added later, such as test reports.',
  params: Type.Object({ application_id: ApplicationId, build_id: BuildId }),
  returns: listOf(MetadataArtifact),
  load: requireBuildOfPath,
  async handle({ db, build }) {
    const artifacts = await listMetadataArtifacts(db, build.id)
    return { message: 'Metadata artifacts retrieved.', data: artifacts.map(metadataArtifactResource) }
  },
})
