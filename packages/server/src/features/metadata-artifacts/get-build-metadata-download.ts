import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId, BuildId, PathId, SizeBytes } from '../../http/fields.ts'
import { requireBuildOfPath } from '../builds/build.db.ts'
import { recordKeyDownload } from '../builds/download.ts'
import { requireMetadataArtifact } from './metadata-artifact.db.ts'

const expiresInSeconds = 6 * 60 * 60

export const getBuildMetadataDownload = endpoint({
  method: 'GET',
  path: '/applications/:application_id/builds/:build_id/metadata/:artifact_id/download',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'Get the download link of a metadata artifact',
  params: Type.Object({
    application_id: ApplicationId,
    build_id: BuildId,
    artifact_id: PathId('Id of the artifact.'),
  }),
  budget: 'downloads',
  returns: Type.Object({
    message: Type.String(),
    temp_url: Type.String({ description: 'Signed: needs no key.' }),
    filename: Type.String(),
    size_bytes: SizeBytes,
  }),
  async visible(call) {
    const { build } = await requireBuildOfPath(call)
    return { build, artifact: await requireMetadataArtifact(call.db, build.id, call.params.artifact_id) }
  },
  async handle({ build, artifact, ...call }) {
    const { filename, size_bytes, object_key: key } = artifact
    const options = { filename, contentType: 'application/octet-stream', expiresInSeconds }
    const temp_url = await call.storage.signGet({ key }, options)
    await recordKeyDownload(call, build, { metadata_artifact_id: artifact.id })
    return { message: 'Download link created.', temp_url, filename, size_bytes }
  },
})
