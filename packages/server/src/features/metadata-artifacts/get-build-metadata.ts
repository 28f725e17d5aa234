import { Type } from 'typebox'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId, BuildId, PathId } from '../../http/fields.ts'
import { requireApplication } from '../applications/application.db.ts'
import { requireBuild } from '../builds/build.db.ts'
import { requireMetadataArtifact } from './metadata-artifact.db.ts'
import { MetadataArtifact, metadataArtifactResource } from './metadata-artifact.ts'

export const getBuildMetadata = endpoint({
  method: 'GET',
  path: '/applications/:application_id/builds/:build_id/metadata/:artifact_id',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'Get a metadata artifact of a build',
  params: Type.Object({
    application_id: ApplicationId,
    build_id: BuildId,
    artifact_id: PathId('Id of the artifact.'),
  }),
  returns: one(MetadataArtifact),
  async visible({ db, actor, params }) {
    const { id } = await requireApplication(db, actor, params.application_id)
    const build = await requireBuild(db, id, params.build_id)
    return { artifact: await requireMetadataArtifact(db, build.id, params.artifact_id) }
  },
  async handle({ artifact }) {
    return { message: 'Metadata artifact retrieved.', data: metadataArtifactResource(artifact) }
  },
})
