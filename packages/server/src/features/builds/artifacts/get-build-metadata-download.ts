import { Type } from 'typebox'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { storageProblems } from '../../../storage/storage-errors.ts'
import { linkLifeSeconds, recordKeyDownload } from '../files/download.ts'
import { FileLink, metadataArtifactLink } from '../files/file-link.ts'
import { requireMetadataArtifactOfPath } from './artifact-of-path.ts'
import { metadataArtifactParams } from './metadata-artifact.ts'

export const getBuildMetadataDownload = endpoint({
  method: 'GET',
  path: '/applications/:application_id/builds/:build_id/metadata/:artifact_id/download',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'Get a metadata artifact download link',
  description:
    'Returns a signed URL that needs no key until it expires. Records a download unless `preview` is `true`.',
  params: metadataArtifactParams,
  query: Type.Object({
    preview: Type.Optional(
      Type.Boolean({
        description:
          'Set to `true` to show the content to a person instead of saving it. The list of downloads then does not contain the call.',
      }),
    ),
  }),
  budget: 'downloads',
  refuses: [...storageProblems],
  returns: Type.Object({
    message: Type.String(),
    ...FileLink.properties,
  }),
  load: requireMetadataArtifactOfPath,
  async handle({ build, artifact, query, ...call }) {
    const link = await metadataArtifactLink(call.storage, artifact, {
      expiresInSeconds: linkLifeSeconds,
    })
    if (query.preview !== true) await recordKeyDownload(call, build, { metadata_artifact_id: artifact.id })
    return { message: 'Download link created.', ...link }
  },
})
