import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId, BuildId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { changeRelease, referenceGone, releaseFull } from './change-release.ts'
import { buildsNotFound } from './release-build.db.ts'
import { requireReleaseAndBuildOfPath } from './release.db.ts'
import { FullRelease, ReleaseId } from './release.ts'

export const addReleaseBuild = endpoint({
  method: 'POST',
  path: '/applications/:application_id/releases/:release_id/builds/:build_id',
  scope: { workspace: 'releases:write', application: 'releases:write' },
  summary: 'Add a build to a release',
  description: 'Adds a build of the same application to the release and keeps its other builds.',
  params: Type.Object({ application_id: ApplicationId, release_id: ReleaseId, build_id: BuildId }),
  refuses: [releaseFull, buildsNotFound, referenceGone],
  returns: one(FullRelease),
  load: requireReleaseAndBuildOfPath,
  async handle({ application, release, build, ...call }) {
    const data = await changeRelease(call, application, release.id, { addBuild: build.id })
    return { message: 'Build added.', data }
  },
})
