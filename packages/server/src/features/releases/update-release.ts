import { Type } from 'typebox'
import { givenChanges } from '../../http/endpoint/changes.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { changeRelease, referenceGone } from './change-release.ts'
import { requireReleaseOfPath } from './release.db.ts'
import { FullRelease, ReleaseChanges, ReleaseId } from './release.ts'

export const updateRelease = endpoint({
  method: 'PATCH',
  path: '/applications/:application_id/releases/:release_id',
  scope: { workspace: 'releases:write', application: 'releases:write' },
  summary: 'Update a release',
  description:
    'Changes only the given fields. A change to a published release is visible immediately and sends `release.updated`.',
  params: Type.Object({ application_id: ApplicationId, release_id: ReleaseId }),
  body: ReleaseChanges,
  refuses: [referenceGone],
  returns: one(FullRelease),
  load: requireReleaseOfPath,
  async handle({ application, release, body, ...call }) {
    const changes = givenChanges(ReleaseChanges, body)
    return { message: 'Release updated.', data: await changeRelease(call, application, release.id, changes) }
  },
})
