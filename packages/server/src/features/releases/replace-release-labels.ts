import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { changeRelease, referenceGone } from './change-release.ts'
import { requireReleaseOfPath } from './release.db.ts'
import { FullRelease, ReleaseLabels, ReleaseId } from './release.ts'

export const replaceReleaseLabels = endpoint({
  method: 'PUT',
  path: '/applications/:application_id/releases/:release_id/labels',
  scope: { workspace: 'releases:write', application: 'releases:write' },
  summary: 'Replace the labels of a release',
  description: 'Replaces the whole list; an empty list removes every label.',
  params: Type.Object({ application_id: ApplicationId, release_id: ReleaseId }),
  body: Type.Object({ labels: ReleaseLabels }),
  refuses: [referenceGone],
  returns: one(FullRelease),
  load: requireReleaseOfPath,
  async handle({ application, release, body, ...call }) {
    const data = await changeRelease(call, application, release.id, { labels: body.labels })
    return { message: 'Labels replaced.', data }
  },
})
