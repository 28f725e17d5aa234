import { Type } from 'typebox'
import { requireApplicationOfPath } from '../../access/application.db.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { addRelease, referenceGone } from './change-release.ts'
import { buildsNotFound } from './release-build.db.ts'
import { FullRelease, NewRelease } from './release.ts'

export const createRelease = endpoint({
  method: 'POST',
  path: '/applications/:application_id/releases',
  scope: { workspace: 'releases:create', application: 'releases:create' },
  summary: 'Create a release',
  description:
    'Publishes the release immediately, unless `draft` or `scheduled_for` is set. Until a release is published, it is accessible only with an API key.',
  params: Type.Object({ application_id: ApplicationId }),
  body: NewRelease,
  status: 201,
  refuses: [buildsNotFound, referenceGone],
  returns: one(FullRelease),
  load: requireApplicationOfPath,
  async handle({ application, body, ...call }) {
    return { message: 'Release created.', data: await addRelease(call, application, body) }
  },
})
