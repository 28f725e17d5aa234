import { Type } from 'typebox'
import { listOf } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { requireApplicationOfPath } from '../applications/application.db.ts'
import { listTrustedPublisherRows } from './trusted-publisher.db.ts'
import { TrustedPublisher, trustedPublisherResource } from './trusted-publisher.ts'

export const listTrustedPublishers = endpoint({
  method: 'GET',
  path: '/applications/:application_id/trusted-publishers',
  scope: { workspace: 'api_keys:read' },
  summary: 'List the trusted publishers of an application',
  params: Type.Object({ application_id: ApplicationId }),
  returns: listOf(TrustedPublisher),
  visible: requireApplicationOfPath,
  async handle({ db, application }) {
    const rows = await listTrustedPublisherRows(db, application.id)
    return { message: 'Trusted publishers retrieved.', data: rows.map(trustedPublisherResource) }
  },
})
