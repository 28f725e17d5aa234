import { Type } from 'typebox'
import { givenChanges } from '../../http/changes.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { one } from '../../http/responses.ts'
import { changeRelease } from './change-release.ts'
import { requireReleaseOfPath } from './release.db.ts'
import { FullRelease, ReleaseChanges, ReleaseId } from './release.ts'

export const updateRelease = endpoint({
  method: 'PATCH',
  path: '/applications/:application_id/releases/:release_id',
  scope: { workspace: 'releases:write', application: 'releases:write' },
  summary: 'Update a release',
  params: Type.Object({ application_id: ApplicationId, release_id: ReleaseId }),
  body: ReleaseChanges,
  returns: one(FullRelease),
  load: requireReleaseOfPath,
  async handle({ application, release, body, ...call }) {
    const changes = givenChanges(ReleaseChanges, body)
    return { message: 'Release updated.', data: await changeRelease(call, application, release.id, changes) }
  },
})
