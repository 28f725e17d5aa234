import { Type } from 'typebox'
import { listOf } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId, BuildId } from '../../http/fields.ts'
import { requireApplication } from '../applications/application.db.ts'
import { requireBuild } from '../builds/build.db.ts'
import { listMetadataArtifacts } from './metadata-artifact.db.ts'
import { MetadataArtifact, metadataArtifactResource } from './metadata-artifact.ts'

export const listBuildMetadata = endpoint({
  method: 'GET',
  path: '/applications/:application_id/builds/:build_id/metadata',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'List the metadata artifacts of a build',
  params: Type.Object({ application_id: ApplicationId, build_id: BuildId }),
  returns: listOf(MetadataArtifact),
  async visible({ db, actor, params }) {
    const { id } = await requireApplication(db, actor, params.application_id)
    return { build: await requireBuild(db, id, params.build_id) }
  },
  async handle({ db, build }) {
    const artifacts = await listMetadataArtifacts(db, build.id)
    return { message: 'Metadata artifacts retrieved.', data: artifacts.map(metadataArtifactResource) }
  },
})
