import { Type } from 'typebox'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { ApplicationId, BuildId } from '../../../http/endpoint/fields.ts'
import { storageProblems } from '../../../storage/storage-errors.ts'
import { requireBuildOfPath } from '../build.db.ts'
import { downloadFields, downloadLinks, recordKeyDownload } from './download.ts'

export const getBuildDownload = endpoint({
  method: 'GET',
  path: '/applications/:application_id/builds/:build_id/download',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'Get download links for a build',
  description:
    'Returns a signed URL for each file of the build and records a download. The URLs need no key until they expire.',
  params: Type.Object({ application_id: ApplicationId, build_id: BuildId }),
  budget: 'downloads',
  refuses: [...storageProblems],
  returns: Type.Object({ message: Type.String(), ...downloadFields }),
  load: requireBuildOfPath,
  async handle({ build, ...call }) {
    const links = await downloadLinks(call, build.id)
    await recordKeyDownload(call, build)
    return { message: 'Download links created.', ...links }
  },
})
