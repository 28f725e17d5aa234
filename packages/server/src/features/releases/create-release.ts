import { Type } from 'typebox'
import { requireApplicationOfPath } from '../../access/application.db.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { one } from '../../http/responses.ts'
import { addRelease } from './change-release.ts'
import { FullRelease, NewRelease } from './release.ts'

export const createRelease = endpoint({
  method: 'POST',
  path: '/applications/:application_id/releases',
  scope: { workspace: 'releases:create', application: 'releases:create' },
  summary: 'Create a release',
  description:
    'Publishes the release immediately, unless it is a `draft` or has `scheduled_for`. Until a release is published, only API keys can see it.',
  params: Type.Object({ application_id: ApplicationId }),
  body: NewRelease,
  status: 201,
  returns: one(FullRelease),
  load: requireApplicationOfPath,
  async handle({ application, body, ...call }) {
    return { message: 'Release created.', data: await addRelease(call, application, body) }
  },
})
