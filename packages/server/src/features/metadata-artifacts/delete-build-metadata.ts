import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { Message } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId, BuildId, PathId } from '../../http/fields.ts'
import { notFound } from '../../lib/problem.ts'
import { updateStoredObjectDeleted } from '../../storage/stored-objects.db.ts'
import { requireApplication } from '../applications/application.db.ts'
import { requireBuild, updateBuildMetadataBytes } from '../builds/build.db.ts'
import { deleteMetadataArtifact, requireMetadataArtifact } from './metadata-artifact.db.ts'

export const deleteBuildMetadata = endpoint({
  method: 'DELETE',
  path: '/applications/:application_id/builds/:build_id/metadata/:artifact_id',
  scope: { workspace: 'builds:write', application: 'builds:write' },
  summary: 'Delete a metadata artifact',
  params: Type.Object({
    application_id: ApplicationId,
    build_id: BuildId,
    artifact_id: PathId('Id of the artifact.'),
  }),
  returns: Message,
  async visible({ db, actor, params }) {
    const application = await requireApplication(db, actor, params.application_id)
    const build = await requireBuild(db, application.id, params.build_id)
    return { build, artifact: await requireMetadataArtifact(db, build.id, params.artifact_id) }
  },
  async handle({ build, artifact, ...call }) {
    await inTransaction(call.db, async (tx) => {
      if (!(await deleteMetadataArtifact(tx, artifact.id))) throw notFound()
      await updateStoredObjectDeleted(tx, artifact.object_key)
      await updateBuildMetadataBytes(tx, build.id, -artifact.size_bytes)
      await recordEvent(tx, call, {
        action: 'metadata_artifact.deleted',
        applicationId: build.application_id,
        subject: { type: 'metadata_artifact', id: artifact.id },
        before: { build_id: build.id, filename: artifact.filename, size_bytes: artifact.size_bytes },
      })
    })
    return { message: 'Metadata artifact deleted.' }
  },
})
