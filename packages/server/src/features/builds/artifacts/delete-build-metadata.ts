import { inTransaction } from '../../../database/transaction.ts'
import { recordEvent } from '../../../events/record-event.ts'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { Message } from '../../../http/endpoint/responses.ts'
import { notFound } from '../../../lib/problem.ts'
import { markObjectsDeleted } from '../../../storage/objects/stored-objects.db.ts'
import { addBuildMetadataBytes } from '../build.db.ts'
import { requireMetadataArtifactOfPath } from './artifact-of-path.ts'
import { removeMetadataArtifact } from './metadata-artifact.db.ts'
import { metadataArtifactParams } from './metadata-artifact.ts'

export const deleteBuildMetadata = endpoint({
  method: 'DELETE',
  path: '/applications/:application_id/builds/:build_id/metadata/:artifact_id',
  scope: { workspace: 'builds:write', application: 'builds:write' },
  summary: 'Delete a metadata artifact',
  description: 'Deletes the artifact and its file. The build is not changed. This cannot be undone.',
  params: metadataArtifactParams,
  returns: Message,
  load: requireMetadataArtifactOfPath,
  async handle({ build, artifact, ...call }) {
    await inTransaction(call.db, async (tx) => {
      if (!(await removeMetadataArtifact(tx, artifact.id))) throw notFound()
      await markObjectsDeleted(tx, [artifact.object_key])
      await addBuildMetadataBytes(tx, build.id, -artifact.size_bytes)
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
