import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId, BuildId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { changeRelease } from './change-release.ts'
import { requireReleaseAndBuildOfPath } from './release.db.ts'
import { FullRelease, ReleaseId } from './release.ts'

export const removeReleaseBuild = endpoint({
  method: 'DELETE',
  path: '/applications/:application_id/releases/:release_id/builds/:build_id',
  scope: { workspace: 'releases:write', application: 'releases:write' },
  summary: 'Remove a build from a release',
  description: 'Removes the build from the release. The build itself is not deleted.',
  params: Type.Object({ application_id: ApplicationId, release_id: ReleaseId, build_id: BuildId }),
  returns: one(FullRelease),
  load: requireReleaseAndBuildOfPath,
  async handle({ application, release, build, ...call }) {
    const data = await changeRelease(call, application, release.id, { removeBuild: build.id })
    return { message: 'Build removed.', data }
  },
})
