import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { changeRelease, referenceGone } from './change-release.ts'
import { buildsNotFound } from './release-build.db.ts'
import { requireReleaseOfPath } from './release.db.ts'
import { FullRelease, ReleaseBuildIds, ReleaseId } from './release.ts'

export const replaceReleaseBuilds = endpoint({
  method: 'PUT',
  path: '/applications/:application_id/releases/:release_id/builds',
  scope: { workspace: 'releases:write', application: 'releases:write' },
  summary: 'Replace the builds of a release',
  description:
    'Replaces the whole list of builds. Every build must belong to the application of the release.',
  params: Type.Object({ application_id: ApplicationId, release_id: ReleaseId }),
  body: Type.Object({ build_ids: ReleaseBuildIds }),
  refuses: [buildsNotFound, referenceGone],
  returns: one(FullRelease),
  load: requireReleaseOfPath,
  async handle({ application, release, body, ...call }) {
    const data = await changeRelease(call, application, release.id, { buildIds: body.build_ids })
    return { message: 'Builds replaced.', data }
  },
})
