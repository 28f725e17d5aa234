import { Type } from 'typebox'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { ApplicationId, BuildId } from '../../../http/endpoint/fields.ts'
import { followLocation, Redirect } from '../../../http/endpoint/redirect.ts'
import { storageProblems } from '../../../storage/storage-errors.ts'
import { requireBuildOfPath } from '../build.db.ts'
import { recordKeyDownload, requireFileLinkOfQuery } from './download.ts'

export const getBuildFile = endpoint({
  method: 'GET',
  path: '/applications/:application_id/builds/:build_id/file',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'Download a build file',
  description: 'Redirects to a signed URL. With curl: `curl -L -OJ -H "Authorization: …"`.',
  params: Type.Object({ application_id: ApplicationId, build_id: BuildId }),
  query: Type.Object({
    file_id: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'ID of a file of the build; defaults to the primary file.',
      }),
    ),
  }),
  status: 302,
  budget: 'downloads',
  refuses: [...storageProblems],
  returns: Redirect,
  load: requireBuildOfPath,
  async handle({ build, query, ...call }) {
    const { file_id, location } = await requireFileLinkOfQuery(call, build.id, { fileId: query.file_id })
    await recordKeyDownload(call, build, { file_id })
    return { message: followLocation, location }
  },
})
