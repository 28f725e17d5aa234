import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { one } from '../../http/responses.ts'
import { changeRelease } from './change-release.ts'
import { requireReleaseOfPath } from './release.db.ts'
import { FullRelease, ReleaseBuildIds, ReleaseId } from './release.ts'

export const replaceReleaseBuilds = endpoint({
  method: 'PUT',
  path: '/applications/:application_id/releases/:release_id/builds',
  scope: { workspace: 'releases:write', application: 'releases:write' },
  summary: 'Replace the builds of a release',
  params: Type.Object({ application_id: ApplicationId, release_id: ReleaseId }),
  body: Type.Object({ build_ids: ReleaseBuildIds }),
  returns: one(FullRelease),
  load: requireReleaseOfPath,
  async handle({ application, release, body, ...call }) {
    const data = await changeRelease(call, application, release.id, { buildIds: body.build_ids })
    return { message: 'Builds replaced.', data }
  },
})
